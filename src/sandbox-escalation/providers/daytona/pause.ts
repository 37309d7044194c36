/** Waits. Fails with the signal's reason. */
export function pause(waitMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      const why: unknown = signal?.reason;
      reject(why instanceof Error ? why : new Error(String(why)));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, waitMs);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
