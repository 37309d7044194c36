// Primes for Diffie-Hellman, found off the kernel's thread.
import { checkCost } from "./check-cost.ts";
import { jobMode, makeJob, type runJob } from "./run-job.ts";

/** What OpenSSL asks of a prime for each generator: p ≡ rest mod step. */
const residues: ReadonlyMap<unknown, readonly [step: number, rest: number]> = new Map([
  [2, [24, 23]],
  [5, [60, 59]],
]);
const others = [12, 11] as const;

/**
 * DiffieHellman's constructor looks for a prime of a given size on the thread it is called on, for
 * seconds. Here a job has looked for it before; sizes that OpenSSL refuses are left to it.
 */
export async function generatePrime(values: unknown[], run: typeof runJob): Promise<void> {
  const [size, generator] = values;
  if (typeof size !== "number" || size < 512 || size > 10_000) return;
  if (typeof generator !== "number" || generator < 2) return;
  const [step, rest] = residues.get(generator) ?? others;
  const wanted = [size, true, Buffer.from([step]), Buffer.from([rest])];
  checkCost("RandomPrimeJob", wanted);
  const job = makeJob("RandomPrimeJob", jobMode.async, wanted);
  const [error, prime] = await run(job);
  if (error === undefined && prime instanceof ArrayBuffer) values[0] = Buffer.from(prime);
}
