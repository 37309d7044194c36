/** How to get from one absolute path to another. */
export function relativePath(from: string, to: string): string {
  const start = from.split("/").filter((name) => name !== "");
  const goal = to.split("/").filter((name) => name !== "");
  let shared = 0;
  while (shared < start.length && shared < goal.length && start[shared] === goal[shared]) shared++;
  const steps = [...start.slice(shared).map(() => ".."), ...goal.slice(shared)];
  return steps.length === 0 ? "." : steps.join("/");
}
