/** Numbers as text, and text as numbers. */

/** A number in `%.6g`, awk's default for what is no integer. */
const DEFAULT_FORMAT = "%.6g";

/** How CONVFMT and OFMT show a number. */
export type NumberFormat = (value: number) => string;

export function numberFormat(
  format: string,
  sprintf: (format: string, value: number) => string,
): NumberFormat {
  return format === DEFAULT_FORMAT ? shortNumber : (value) => sprintf(format, value);
}

/** Integers are shown whole whatever the format says. */
export function numberText(value: number, format: NumberFormat): string {
  if (Number.isInteger(value)) {
    return value < 1e16 && value > -1e16 ? String(value) : BigInt(value).toString();
  }
  if (Number.isFinite(value)) return format(value);
  return specialText(value);
}

/** The processor's NaN has its sign set. */
export function specialText(value: number): string {
  if (Number.isNaN(value)) return "-nan";
  return value > 0 ? "+inf" : "-inf";
}

function shortNumber(value: number): string {
  return generalText(value, 6, false);
}

/** C's `%.{precision}g` of a finite number. */
export function generalText(value: number, precision: number, keepsZeros: boolean): string {
  const digits = Math.min(precision === 0 ? 1 : precision, 100);
  if (value === 0) return keepsZeros && digits > 1 ? `0.${"0".repeat(digits - 1)}` : "0";
  const exponential = value.toExponential(digits - 1);
  const at = exponential.indexOf("e");
  const power = Number(exponential.slice(at + 1));
  if (power < -4 || power >= digits) {
    const mantissa = exponential.slice(0, at);
    return `${keepsZeros ? mantissa : withoutZeros(mantissa)}e${exponentText(power)}`;
  }
  const fixed = fixedText(value, Math.max(0, digits - 1 - power));
  return keepsZeros ? fixed : withoutZeros(fixed);
}

function withoutZeros(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

function exponentText(power: number): string {
  const size = Math.abs(power);
  return `${power < 0 ? "-" : "+"}${size < 10 ? "0" : ""}${size}`;
}

/** C's `%.{precision}e`. */
export function exponentialText(value: number, precision: number): string {
  const text = value.toExponential(Math.min(precision, 100));
  const at = text.indexOf("e");
  const zeros = "0".repeat(Math.max(0, precision - 100));
  return `${text.slice(0, at)}${zeros}e${exponentText(Number(text.slice(at + 1)))}`;
}

/** toFixed's. */
const FIXED_LIMIT = 100;

/** C's `%.{precision}f`: toFixed knows no more than 100 digits, and no large numbers. */
export function fixedText(value: number, precision: number): string {
  if (Math.abs(value) >= 1e21) {
    return BigInt(value).toString() + (precision > 0 ? `.${"0".repeat(precision)}` : "");
  }
  const known = Math.min(precision, FIXED_LIMIT);
  const text = evenTie(value, known) ?? value.toFixed(known);
  return text + "0".repeat(precision - known);
}

/**
 * C rounds what lies halfway to the even digit, JavaScript up. Only a number with few binary digits
 * behind the point can lie there; undefined for all others.
 */
function evenTie(value: number, precision: number): string | undefined {
  const scaled = value * 2 ** (precision + 1);
  if (!Number.isInteger(scaled) || Number.isInteger(value)) return undefined;
  const twice = BigInt(Math.abs(scaled)) * 5n ** BigInt(precision);
  if (twice % 2n === 0n) return undefined;
  const below = twice / 2n;
  const digits = (below % 2n === 0n ? below : below + 1n).toString().padStart(precision + 1, "0");
  const whole = digits.slice(0, digits.length - precision);
  const sign = value < 0 ? "-" : "";
  return precision === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-precision)}`;
}

const ZERO = 48;
const NINE = 57;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** The number a text starts with; 0 where there is none. */
export function leadingNumber(text: string): number {
  const start = skipBlanks(text, 0);
  const end = numberEnd(text, start);
  return end === start ? 0 : toNumber(text, start, end);
}

/** The number a text is but for blanks around it; undefined where it is none. */
export function wholeNumber(text: string): number | undefined {
  const start = skipBlanks(text, 0);
  const end = numberEnd(text, start);
  if (end === start || skipBlanks(text, end) !== text.length) return undefined;
  return toNumber(text, start, end);
}

/** The number of a few digits from one place to another; undefined for whatever else is there. */
export function plainInteger(text: string, from: number, to: number): number | undefined {
  if (from === to || to - from > 15) return undefined;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

function toNumber(text: string, start: number, end: number): number {
  const plain = plainInteger(text, start, end);
  if (plain !== undefined) return plain;
  const found = text.slice(start, end);
  const special = /^([-+])(inf|nan)/i.exec(found);
  if (special === null) return Number(found);
  if (special[2]?.toLowerCase() === "nan") return Number.NaN;
  return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where the number that starts at a place ends; the place itself where there is none. */
function numberEnd(text: string, start: number): number {
  const first = text[start];
  const hasSign = first === "-" || first === "+";
  const from = hasSign ? start + 1 : start;
  let at = skipDigits(text, from);
  let count = at - from;
  if (text[at] === ".") {
    const end = skipDigits(text, at + 1);
    count += end - at - 1;
    at = end;
  }
  if (count === 0) return hasSign ? specialEnd(text, start) : start;
  if (text[at] !== "e" && text[at] !== "E") return at;
  const sign = text[at + 1] === "-" || text[at + 1] === "+" ? 1 : 0;
  const end = skipDigits(text, at + 1 + sign);
  return end === at + 1 + sign ? at : end;
}

/** `+inf` and `-nan` are numbers when their sign is there and nothing behind. */
function specialEnd(text: string, start: number): number {
  return /^[-+](?:inf|nan)$/i.test(text.slice(start, start + 5).trimEnd()) ? start + 4 : start;
}
