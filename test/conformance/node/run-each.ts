/** Does something with each item, `jobs` at a time, in order of their turn. Fails with the first failure. */
export async function runEach<T>(
  items: readonly T[],
  jobs: number,
  work: (item: T, job: number) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async (job: number): Promise<void> => {
    for (const item of queue) await work(item, job);
  };
  await Promise.all(Array.from({ length: jobs }, async (_, job) => lane(job)));
}
