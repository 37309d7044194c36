// What a job of Node's crypto may cost. A job cannot be stopped: it holds a thread of the cell's pool until it is done,
// also when its process has ended. So one that would take hours is refused.
import { KernelError } from "../../../../../kernel/index.ts";

/** What one job may take for itself; the VM's own limit is for all of them. */
const MEMORY_LIMIT_BYTES = 256 * 1024 * 1024;
/** Rounds of a digest. */
const ROUND_LIMIT = 50_000_000;
/** Blocks of 128 bytes that scrypt mixes, and KiB that Argon2 fills. */
const MIX_LIMIT = 2 ** 26;
const FILL_LIMIT = 2 ** 25;
/** Bits of numbers that are looked for, and of those whose half must be prime too. */
const PRIME_LIMIT_BITS = 8192;
const SAFE_PRIME_LIMIT_BITS = 4096;
/** Candidates that are looked at more often are primes. */
const CHECK_LIMIT = 256;
/** Bytes from which on OpenSSL itself refuses a number. */
const NO_NUMBER_BYTES = 64 * 1024 * 1024 - 1;
/** The shortest digest's bytes: a key is made of as many parts. */
const DIGEST_BYTES = 16;

type Values = readonly unknown[];

const isTooMuch: Readonly<Record<string, (values: Values) => boolean>> = {
  PBKDF2Job: ([, , rounds, length]) =>
    Number(rounds) * Math.ceil(Number(length) / DIGEST_BYTES) > ROUND_LIMIT * 4 ||
    Number(rounds) > ROUND_LIMIT,
  ScryptJob([, , cost, size, parallel, allowed]) {
    const [n, r, p] = [Number(cost), Number(size), Number(parallel)];
    const bytes = 128 * r * (n + p);
    // What is beyond the limit that it brings itself, the job refuses.
    if (bytes > Number(allowed)) return false;
    return bytes > MEMORY_LIMIT_BYTES || n * r * p > MIX_LIMIT;
  },
  Argon2Job: ([, , , , memory, passes]) =>
    Number(memory) * 1024 > MEMORY_LIMIT_BYTES || Number(memory) * Number(passes) > FILL_LIMIT,
  RandomPrimeJob: ([bits, isSafe]) =>
    Number(bits) > (isSafe === true ? SAFE_PRIME_LIMIT_BITS : PRIME_LIMIT_BITS),
  CheckPrimeJob([candidate, checks]) {
    const bytes = bytesOf(candidate);
    if (bytes >= NO_NUMBER_BYTES) return false;
    return bytes * 8 > PRIME_LIMIT_BITS || Number(checks) > CHECK_LIMIT;
  },
  RsaKeyPairGenJob: ([, bits]) => Number(bits) > PRIME_LIMIT_BITS,
  DsaKeyPairGenJob: ([bits]) => Number(bits) > SAFE_PRIME_LIMIT_BITS,
  DhKeyPairGenJob: ([bits]) => typeof bits === "number" && bits > SAFE_PRIME_LIMIT_BITS,
};

export function checkCost(job: string, values: Values): void {
  if (isTooMuch[job]?.(values) === true) throw new KernelError("E2BIG", job);
}

function bytesOf(value: unknown): number {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}
