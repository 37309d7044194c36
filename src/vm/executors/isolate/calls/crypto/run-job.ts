// Jobs of Node's crypto: always on the thread pool, never on the kernel's own thread.
import { callableOf, cryptoBinding } from "../../node-internals.ts";

/** How a guest wants its answer: lib/internal/crypto's kCryptoJob constants. */
export const jobMode = { async: 0, sync: 1, webCrypto: 2 } as const;

/** Makes the job; throws what its constructor throws. A job that is waited for runs like any other. */
export function makeJob(name: string, mode: number, args: readonly unknown[]): object {
  const hostMode = mode === jobMode.webCrypto ? jobMode.webCrypto : jobMode.async;
  const made: unknown = Reflect.construct(callableOf(cryptoBinding(), name), [hostMode, ...args]);
  if (typeof made !== "object" || made === null) throw new TypeError(name);
  return made;
}

/** Its error and its result. */
export async function runJob(job: object): Promise<readonly [unknown, unknown]> {
  const done = Promise.withResolvers<readonly [unknown, unknown]>();
  Reflect.set(job, "ondone", (error: unknown, result: unknown) => done.resolve([error, result]));
  const promise: unknown = Reflect.apply(callableOf(job, "run"), job, []);
  if (!(promise instanceof Promise)) return done.promise;
  try {
    return [undefined, await promise];
  } catch (error) {
    // Web Crypto's error is the guest's own to make; what it was about goes there.
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    return [cause ?? error, undefined];
  }
}
