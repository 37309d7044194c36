/** A promise and its two ends, as Promise.withResolvers makes them where Node is newer than 20. */
export interface Settlement<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (error: Error) => void;
}

export function makeSettlement<T>(): Settlement<T> {
  const ends: Partial<Settlement<T>>[] = [];
  const promise = new Promise<T>((resolve, reject) => {
    ends.push({ resolve, reject });
  });
  const { resolve, reject } = ends[0] ?? {};
  if (resolve === undefined || reject === undefined) throw new Error("a promise has no ends");
  return { promise, resolve, reject };
}
