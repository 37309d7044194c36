/** The functions of `bc -l`: worked out with some digits more, and cut to the scale. */
import {
  divide,
  fromInteger,
  integerRoot,
  type Num,
  tenTo,
  toInteger,
  withScale,
} from "./number.ts";

/** Digits beyond those wanted. */
const GUARD = 12;
/** A text of digits that long takes some seconds. */
const SCALE_LIMIT = 5000;

/** Undefined where there is no such function, or it takes another number of arguments. */
export function mathFunction(name: string, args: readonly Num[], scale: number): Num | undefined {
  const [first, second] = args;
  if (first === undefined || scale > SCALE_LIMIT) return undefined;
  const isBessel = name === "j" && second !== undefined && args.length === 2;
  if (isBessel) return cut(bessel(Number(toInteger(first)), second, scale), scale);
  if (args.length !== 1) return undefined;
  switch (name) {
    case "e":
      return exponential(first, scale);
    case "l":
      return logarithm(first, scale);
    case "s":
      return cut(sine(first, scale), scale);
    case "c":
      return cut(cosine(first, scale), scale);
    case "a":
      return cut(arctangent(first, scale), scale);
    default:
      return undefined;
  }
}

/** A number as an integer at some digits. */
interface Fixed {
  readonly value: bigint;
  readonly places: number;
}

function fixed(value: Num, places: number): bigint {
  return withScale(value, places).digits;
}

function cut({ value, places }: Fixed, scale: number): Num {
  return withScale({ digits: value, scale: places }, scale);
}

function exponential(value: Num, scale: number): Num {
  const size = Math.abs(Number(toInteger(value)));
  const places = scale + GUARD + Math.ceil(size * 0.45);
  const unit = tenTo(places);
  // The argument is halved until it is small, and the result squared as often.
  let halvings = 0;
  let part = fixed(value, places);
  while (part > unit / 2n || part < -unit / 2n) {
    part /= 2n;
    halvings += 1;
  }
  const extra = tenTo(Math.ceil(halvings * 0.31) + 2);
  const wide = unit * extra;
  part = (fixed(value, places) * extra) >> BigInt(halvings);
  let sum = wide;
  for (let term = wide, at = 1n; term !== 0n; at++) {
    term = (term * part) / wide / at;
    sum += term;
  }
  for (; halvings > 0; halvings--) sum = (sum * sum) / wide;
  return cut({ value: sum / extra, places }, scale);
}

/** What GNU's answers for what has no logarithm. */
function logarithm(value: Num, scale: number): Num {
  if (value.digits <= 0n) {
    return divide(fromInteger(1n - tenTo(scale)), fromInteger(1), scale);
  }
  const places = scale + GUARD + 4;
  const unit = tenTo(places);
  let part = fixed(value, places + value.scale) / tenTo(value.scale);
  let doublings = 1n;
  // Roots bring it near to 1, where the series is quick.
  while (part > (unit * 11n) / 10n || part < (unit * 9n) / 10n) {
    part = integerRoot(part * unit);
    doublings *= 2n;
  }
  const ratio = ((part - unit) * unit) / (part + unit);
  const square = (ratio * ratio) / unit;
  let sum = ratio;
  for (let term = ratio, at = 3n; ; at += 2n) {
    term = (term * square) / unit;
    const added = term / at;
    if (added === 0n) break;
    sum += added;
  }
  return cut({ value: sum * 2n * doublings, places }, scale);
}

function pi(places: number): bigint {
  const unit = tenTo(places);
  return 4n * (4n * inverseTangent(5n, unit) - inverseTangent(239n, unit));
}

function inverseTangent(denominator: bigint, unit: bigint): bigint {
  const square = denominator * denominator;
  let term = unit / denominator;
  let sum = term;
  for (let at = 3n, sign = -1n; term !== 0n; at += 2n, sign = -sign) {
    term /= square;
    sum += (sign * term) / at;
  }
  return sum;
}

function sine(value: Num, scale: number): Fixed {
  const places = scale + GUARD + digitsBefore(value);
  const unit = tenTo(places);
  const turn = 2n * pi(places + 2);
  const part = (fixed(value, places + 2) % turn) / 100n;
  return { value: sineSeries(part, unit), places };
}

function sineSeries(part: bigint, unit: bigint): bigint {
  const square = (part * part) / unit;
  let sum = part;
  for (let term = part, at = 2n; term !== 0n; at += 2n) {
    term = (-term * square) / unit / (at * (at + 1n));
    sum += term;
  }
  return sum;
}

function cosine(value: Num, scale: number): Fixed {
  const places = scale + GUARD + digitsBefore(value);
  const quarter = { digits: pi(places + 2) / 2n, scale: places + 2 };
  const moved = withScale(value, places + 2).digits + quarter.digits;
  return sine({ digits: moved, scale: places + 2 }, scale);
}

function digitsBefore(value: Num): number {
  return toInteger(value).toString().length;
}

function arctangent(value: Num, scale: number): Fixed {
  const places = scale + GUARD;
  const unit = tenTo(places);
  let part = fixed(value, places);
  let doublings = 1n;
  // atan(x) = 2 atan(x / (1 + sqrt(1 + x²)))
  while (part > unit / 5n || part < -unit / 5n) {
    part = (part * unit) / (unit + integerRoot(unit * unit + part * part));
    doublings *= 2n;
  }
  const square = (part * part) / unit;
  let sum = part;
  for (let term = part, at = 3n; term !== 0n; at += 2n) {
    term = (-term * square) / unit;
    sum += term / at;
  }
  return { value: sum * doublings, places };
}

/** Of integer order, by its series. */
function bessel(order: number, value: Num, scale: number): Fixed {
  const size = Math.abs(order);
  const places = scale + GUARD + digitsBefore(value) * 2;
  const unit = tenTo(places);
  const half = fixed(value, places) / 2n;
  let term = unit;
  for (let at = 1; at <= size; at++) term = (term * half) / unit / BigInt(at);
  const square = (half * half) / unit;
  let sum = term;
  for (let at = 1n; term !== 0n; at++) {
    term = (-term * square) / unit / (at * (at + BigInt(size)));
    sum += term;
  }
  return { value: order < 0 && size % 2 === 1 ? -sum : sum, places };
}
