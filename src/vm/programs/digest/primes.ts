/** The first primes. */
export function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}

/** The first 64 bits behind the point of a prime's root: where the SHA-2 constants come from. */
export function rootBits(prime: number, degree: 2 | 3): bigint {
  const scaled = BigInt(prime) << BigInt(64 * degree);
  let low = 0n;
  let high = 1n << 70n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(degree) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return low & ((1n << 64n) - 1n);
}
