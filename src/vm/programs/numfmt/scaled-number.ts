/** Numbers with units, exact: fractions of big integers. */

export type Scale = "none" | "si" | "iec" | "iec-i" | "auto";
export type Rounding = "up" | "down" | "from-zero" | "towards-zero" | "nearest";

export interface Fraction {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

const letters = "KMGTPEZY";

/** A number read, with the digits behind its point; or a sentence of what is wrong with it. */
export function readScaled(
  text: string,
  scale: Scale,
): { readonly value: Fraction; readonly precision: number } | string {
  const match = /^(-?)(\d*)(?:\.(\d+))?([^]*)$/.exec(text);
  const [, sign = "", whole = "", part = "", tail = ""] = match ?? [];
  if (whole === "" && part === "") return `invalid number: `;
  if (tail.startsWith(".")) return `invalid number: `;
  if (whole.length + part.length > 27) return "value too large to be converted: ";
  const digits = BigInt(`${whole}${part}` || "0") * (sign === "-" ? -1n : 1n);
  const value = { numerator: digits, denominator: 10n ** BigInt(part.length) };
  const suffix = tail.replace(/^[ \t]+/, "");
  if (suffix === "") return { value, precision: part.length };
  return applySuffix(value, suffix, scale);
}

function applySuffix(
  value: Fraction,
  suffix: string,
  scale: Scale,
): { readonly value: Fraction; readonly precision: number } | string {
  const power = letters.indexOf(suffix.charAt(0)) + 1;
  if (power === 0) return "invalid suffix in input: ";
  if (scale === "none") return "rejecting suffix in input: ";
  const hasI = suffix.charAt(1) === "i" && (scale === "auto" || scale === "iec-i");
  if (scale === "iec-i" && !hasI) return "missing 'i' suffix in input: ";
  const rest = suffix.slice(hasI ? 2 : 1);
  if (rest !== "") return `rest:${rest}`;
  const base = scale === "si" || (scale === "auto" && !hasI) ? 1000n : 1024n;
  return { value: times(value, base ** BigInt(power), 1n), precision: 0 };
}

export function times(value: Fraction, by: bigint, over: bigint): Fraction {
  return { numerator: value.numerator * by, denominator: value.denominator * over };
}

/** The nearest integer in the way asked for. */
export function roundTo({ numerator, denominator }: Fraction, rounding: Rounding): bigint {
  const isNegative = numerator < 0n;
  const size = isNegative ? -numerator : numerator;
  const floor = size / denominator;
  const rest = size % denominator;
  const goesUp =
    rest !== 0n &&
    (rounding === "from-zero" ||
      (rounding === "up" && !isNegative) ||
      (rounding === "down" && isNegative) ||
      (rounding === "nearest" && rest * 2n >= denominator));
  const rounded = goesUp ? floor + 1n : floor;
  return isNegative ? -rounded : rounded;
}

/** With so many digits behind the point. */
export function decimalText(value: Fraction, digits: number, rounding: Rounding): string {
  const scaled = roundTo(times(value, 10n ** BigInt(digits), 1n), rounding);
  const text = String(scaled < 0n ? -scaled : scaled).padStart(digits + 1, "0");
  const sign = value.numerator < 0n && scaled !== 0n ? "-" : "";
  const whole = text.slice(0, text.length - digits);
  return `${sign}${whole}${digits === 0 ? "" : `.${text.slice(-digits)}`}`;
}

export interface HumanForm {
  readonly scale: Scale;
  readonly rounding: Rounding;
  /** Digits behind the point; undefined is one below ten. */
  readonly precision: number | undefined;
}

/** `1.5K`. Undefined where the number is too large for any letter. */
export function humanText(value: Fraction, form: HumanForm): string | undefined {
  const base = form.scale === "si" ? 1000n : 1024n;
  let scaled = value;
  let power = 0;
  while (atLeast(scaled, base)) {
    scaled = times(scaled, 1n, base);
    power += 1;
  }
  const digits =
    form.precision === undefined
      ? atLeast(scaled, 10n)
        ? 0
        : 1
      : Math.min(power * 3, form.precision);
  let rounded: Fraction = {
    numerator: roundTo(times(scaled, 10n ** BigInt(digits), 1n), form.rounding),
    denominator: 10n ** BigInt(digits),
  };
  if (atLeast(rounded, base)) {
    rounded = times(rounded, 1n, base);
    power += 1;
  }
  if (power > letters.length) return undefined;
  const hasPoint = rounded.numerator !== 0n && !atLeast(rounded, 10n) && power > 0;
  const shown = decimalText(rounded, form.precision ?? (hasPoint ? 1 : 0), "nearest");
  const letter = power === 0 ? "" : letters.charAt(power - 1);
  return `${shown}${letter}${power > 0 && form.scale === "iec-i" ? "i" : ""}`;
}

function atLeast({ numerator, denominator }: Fraction, limit: bigint): boolean {
  return (numerator < 0n ? -numerator : numerator) >= limit * denominator;
}
