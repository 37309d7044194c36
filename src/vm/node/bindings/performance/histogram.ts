// Counts of values by size: Node's histograms, which are HdrHistogram's.
import { native } from "../../native.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { travelsByReference } from "../messaging/by-reference.ts";

/** What HdrHistogram says is the least of no values. */
const NONE = 2n ** 63n - 1n;

export class Histogram extends AsyncWrap {
  readonly #highest: number;
  readonly #unit: number;
  readonly #halfMagnitude: number;
  readonly #subCount: number;
  /** Counts by bucket, only those that are not 0. */
  #counts = new Map<number, number>();
  #total = 0;
  #least = Infinity;
  #greatest = 0;
  #exceeds = 0;
  #previous: bigint | undefined;

  constructor(lowest: number | bigint = 1, highest: number | bigint = 2 ** 53 - 1, figures = 3) {
    super("HISTOGRAM");
    travelsByReference(this);
    this.#highest = Number(highest);
    this.#unit = Math.floor(Math.log2(Number(lowest)));
    this.#halfMagnitude = Math.ceil(Math.log2(2 * 10 ** figures)) - 1;
    this.#subCount = 2 ** (this.#halfMagnitude + 1);
  }

  record(value: number | bigint): void {
    const number = Number(value);
    if (number > this.#highest || number < 0) {
      this.#exceeds += 1;
      return;
    }
    this.#addCount(this.#indexOf(number), 1);
    this.#least = Math.min(this.#least, number === 0 ? Infinity : number);
    this.#greatest = Math.max(this.#greatest, number);
  }

  /** Nanoseconds since the last call; the first only starts. */
  recordDelta(): void {
    const now: bigint = native["hrtime"]();
    if (this.#previous !== undefined && now > this.#previous) this.record(now - this.#previous);
    this.#previous = now;
  }

  #addCount(index: number, count: number): void {
    this.#counts.set(index, (this.#counts.get(index) ?? 0) + count);
    this.#total += count;
  }

  #bucketOf(value: number): number {
    const bits = Math.max(bitLength(value), this.#halfMagnitude + 1 + this.#unit);
    return bits - this.#unit - (this.#halfMagnitude + 1);
  }

  #indexOf(value: number): number {
    const bucket = this.#bucketOf(value);
    const sub = Math.floor(value / 2 ** (bucket + this.#unit));
    return (bucket + 1) * 2 ** this.#halfMagnitude + (sub - this.#subCount / 2);
  }

  #valueAt(index: number): number {
    const half = 2 ** this.#halfMagnitude;
    const bucket = Math.floor(index / half) - 1;
    const sub = (index % half) + half;
    if (bucket < 0) return (sub - half) * 2 ** this.#unit;
    return sub * 2 ** (bucket + this.#unit);
  }

  #rangeOf(value: number): { lowest: number; size: number } {
    const bucket = this.#bucketOf(value);
    const size = 2 ** (this.#unit + bucket);
    return { lowest: Math.floor(value / size) * size, size };
  }

  #highestLike(value: number): number {
    const { lowest, size } = this.#rangeOf(value);
    return lowest + size - 1;
  }

  #median(value: number): number {
    const { lowest, size } = this.#rangeOf(value);
    return lowest + Math.floor(size / 2);
  }

  /** Counts from the least value up. */
  #sorted(): [number, number][] {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }

  count(): number {
    return this.#total;
  }

  countBigInt(): bigint {
    return BigInt(this.#total);
  }

  countAt(value: number): number {
    return this.#counts.get(this.#indexOf(value)) ?? 0;
  }

  minBigInt(): bigint {
    if ((this.#counts.get(0) ?? 0) > 0) return 0n;
    return this.#least === Infinity ? NONE : BigInt(this.#rangeOf(this.#least).lowest);
  }

  min(): number {
    return Number(this.minBigInt());
  }

  max(): number {
    return this.#greatest === 0 ? 0 : this.#highestLike(this.#greatest);
  }

  maxBigInt(): bigint {
    return BigInt(this.max());
  }

  exceeds(): number {
    return this.#exceeds;
  }

  exceedsBigInt(): bigint {
    return BigInt(this.#exceeds);
  }

  mean(): number {
    return this.#moment(1, 0);
  }

  stddev(): number {
    return Math.sqrt(this.#moment(2, this.mean()));
  }

  skewness(): number {
    return this.#moment(3, this.mean()) / this.stddev() ** 3;
  }

  kurtosis(): number {
    return this.#moment(4, this.mean()) / this.stddev() ** 4 - 3;
  }

  #moment(power: number, around: number): number {
    let sum = 0;
    for (const [index, count] of this.#counts)
      sum += (this.#median(this.#valueAt(index)) - around) ** power * count;
    return this.#total === 0 ? Number.NaN : sum / this.#total;
  }

  /** The share of values up to this one. */
  cdf(value: number): number {
    const last = this.#indexOf(value);
    let sum = 0;
    for (const [index, count] of this.#counts) if (index <= last) sum += count;
    return this.#total === 0 ? Number.NaN : sum / this.#total;
  }

  percentile(percentile: number): number {
    const wanted = Math.max(1, Math.floor((Math.min(percentile, 100) / 100) * this.#total + 0.5));
    let sum = 0;
    for (const [index, count] of this.#sorted()) {
      sum += count;
      if (sum >= wanted) return this.#highestLike(this.#valueAt(index));
    }
    return 0;
  }

  percentileBigInt(percentile: number): bigint {
    return BigInt(this.percentile(percentile));
  }

  percentiles(into: Map<number, number>): void {
    this.#eachPercentile((percentile, value) => into.set(percentile, value));
  }

  percentilesBigInt(into: Map<number, bigint>): void {
    this.#eachPercentile((percentile, value) => into.set(percentile, BigInt(value)));
  }

  percentilesAt(into: Map<number, number>, wanted: Iterable<number>): void {
    for (const one of wanted) into.set(one, this.percentile(one));
  }

  /** In steps that halve with the distance from 100, as HdrHistogram reports them. */
  #eachPercentile(give: (percentile: number, value: number) => void): void {
    let wanted = 0;
    let sum = 0;
    let last = 0;
    for (const [index, count] of this.#sorted()) {
      sum += count;
      last = this.#valueAt(index);
      while (wanted <= (100 * sum) / this.#total && sum < this.#total + 1) {
        give(wanted, last);
        if (wanted === 100) return;
        const distance = 2 ** (Math.floor(Math.log2(100 / (100 - wanted))) + 1);
        wanted += 100 / distance;
        if (sum === this.#total) break;
      }
    }
    give(100, last);
  }

  add(other: Histogram): void {
    for (const [index, count] of other.#counts) this.#addCount(index, count);
    this.#least = Math.min(this.#least, other.#least);
    this.#greatest = Math.max(this.#greatest, other.#greatest);
    this.#exceeds += other.#exceeds;
  }

  reset(): void {
    this.#counts = new Map();
    this.#total = 0;
    this.#least = Infinity;
    this.#greatest = 0;
    this.#exceeds = 0;
    this.#previous = undefined;
  }
}

function bitLength(value: number): number {
  return value < 1 ? 0 : Math.floor(Math.log2(value)) + 1;
}
