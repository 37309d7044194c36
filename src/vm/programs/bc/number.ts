/** bc's numbers: integers with a decimal point somewhere, exact to the digit. */

export interface Num {
  /** The number times ten to the power of its scale. */
  readonly digits: bigint;
  readonly scale: number;
}

/** Digits a number may have: what takes longer would hold up the VM. */
const DIGITS_LIMIT = 100_000;

/** A number that cannot be. Its message is bc's. */
export class BcNumberError extends Error {}

export const ZERO: Num = { digits: 0n, scale: 0 };
export const ONE: Num = { digits: 1n, scale: 0 };

export function fromInteger(value: number | bigint): Num {
  return { digits: BigInt(value), scale: 0 };
}

export function tenTo(power: number): bigint {
  if (power > DIGITS_LIMIT) throw new BcNumberError("Out of memory");
  return 10n ** BigInt(power);
}

export function withScale({ digits, scale }: Num, wanted: number): Num {
  if (scale === wanted) return { digits, scale };
  return wanted > scale
    ? { digits: digits * tenTo(wanted - scale), scale: wanted }
    : { digits: digits / tenTo(scale - wanted), scale: wanted };
}

export function add(left: Num, right: Num): Num {
  const scale = Math.max(left.scale, right.scale);
  return { digits: withScale(left, scale).digits + withScale(right, scale).digits, scale };
}

export function negate({ digits, scale }: Num): Num {
  return { digits: -digits, scale };
}

export function subtract(left: Num, right: Num): Num {
  return add(left, negate(right));
}

/** What has fewer bits is not measured. */
const SMALL = 1n << 4096n;
/** Bits of a number with as many digits as one may have. */
const BITS_LIMIT = Math.ceil(DIGITS_LIMIT * Math.log2(10));

/** Bits of a number, at least; zero for a small one. */
function bitsOf(value: bigint): number {
  return value < SMALL && value > -SMALL ? 0 : value.toString(16).length * 4;
}

export function multiply(left: Num, right: Num, scale: number): Num {
  if (bitsOf(left.digits) + bitsOf(right.digits) > BITS_LIMIT)
    throw new BcNumberError("Out of memory");
  const exact = { digits: left.digits * right.digits, scale: left.scale + right.scale };
  return withScale(exact, Math.min(exact.scale, Math.max(scale, left.scale, right.scale)));
}

export function divide(left: Num, right: Num, scale: number): Num {
  if (right.digits === 0n) throw new BcNumberError("Divide by zero");
  const digits = (left.digits * tenTo(scale + right.scale)) / (right.digits * tenTo(left.scale));
  return { digits, scale };
}

/** What a division at that scale leaves. */
export function modulo(left: Num, right: Num, scale: number): Num {
  if (right.digits === 0n) throw new BcNumberError("Modulo by zero");
  const quotient = divide(left, right, scale);
  const whole = Math.max(left.scale, right.scale + scale);
  const product = {
    digits: quotient.digits * right.digits,
    scale: quotient.scale + right.scale,
  };
  return withScale(subtract(left, product), whole);
}

export function raise(base: Num, power: Num, scale: number): Num {
  const exponent = Number(power.digits / tenTo(power.scale));
  const times = Math.abs(exponent);
  if (times === 0) return ONE;
  if (base.digits.toString().length * times > DIGITS_LIMIT)
    throw new BcNumberError("exponent too large in raise");
  const exact = { digits: base.digits ** BigInt(times), scale: base.scale * times };
  if (exponent < 0) return divide(ONE, exact, scale);
  return withScale(exact, Math.min(exact.scale, Math.max(scale, base.scale)));
}

export function squareRoot(value: Num, scale: number): Num {
  if (value.digits < 0n) throw new BcNumberError("Square root of a negative number");
  const wanted = Math.max(scale, value.scale);
  if (value.digits === 0n) return ZERO;
  if (compare(value, ONE) === 0) return ONE;
  const square = withScale(value, wanted * 2).digits;
  return { digits: integerRoot(square), scale: wanted };
}

/** The root without what is behind the point, by Newton's method. */
export function integerRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let guess = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

export function compare(left: Num, right: Num): number {
  const { digits } = subtract(left, right);
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

/** The part before the point. */
export function toInteger({ digits, scale }: Num): bigint {
  return digits / tenTo(scale);
}

/** How many digits it has; zeros before the first do not count. */
export function digitCount({ digits, scale }: Num): number {
  const length = (digits < 0n ? -digits : digits).toString().length;
  return digits === 0n ? Math.max(1, scale) : Math.max(length, scale);
}

/** What digits in a base are together: halves first, which takes less than one after the other. */
function sumDigits(digits: readonly number[], radix: bigint): bigint {
  if (digits.length < 64) return digits.reduce((made, digit) => made * radix + BigInt(digit), 0n);
  const middle = digits.length >> 1;
  const high = sumDigits(digits.slice(0, middle), radix);
  const low = sumDigits(digits.slice(middle), radix);
  return high * radix ** BigInt(digits.length - middle) + low;
}

/** Digits in a base: those too large for it are its largest, a single one counts as it is. */
export function parseNumber(text: string, base: number): Num {
  if (text.length > DIGITS_LIMIT) throw new BcNumberError("Out of memory");
  const [whole = "", part = ""] = text.split(".");
  const isSingle = whole.length + part.length === 1;
  const digitOf = (letter: string): number => {
    const digit = Number.parseInt(letter, 16);
    return isSingle ? digit : Math.min(digit, base - 1);
  };
  if (base === 10) {
    const shown = [...`${whole}${part}`].map((letter) => digitOf(letter));
    const digits = isSingle ? BigInt(shown[0] ?? 0) : BigInt(shown.join("") || "0");
    return { digits, scale: part.length };
  }
  const radix = BigInt(base);
  const sum = (letters: string): bigint => sumDigits(Array.from(letters, digitOf), radix);
  const integer = fromInteger(sum(whole));
  if (part === "") return integer;
  const fraction = divide(
    fromInteger(sum(part)),
    fromInteger(radix ** BigInt(part.length)),
    part.length,
  );
  return add(integer, fraction);
}
