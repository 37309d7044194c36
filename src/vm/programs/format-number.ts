/** Numbers and padding as C's printf shows them. */
import { decodeText, encodeText } from "../../kernel/index.ts";

/** What stands between `%` and the letter, and the letter. */
export interface Spec {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** A C string is cut and padded by bytes. */
export function cut(text: string, precision: number | undefined): string {
  if (precision === undefined) return text;
  return isAscii(text)
    ? text.slice(0, precision)
    : decodeText(encodeText(text).subarray(0, precision));
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII is what is looked for
  return !/[^\x00-\x7f]/.test(text);
}

export function pad({ flags, width }: Spec, text: string): string {
  const missing = width - (isAscii(text) ? text.length : encodeText(text).length);
  if (missing <= 0) return text;
  return flags.includes("-") ? text + " ".repeat(missing) : " ".repeat(missing) + text;
}

/** Pads a number: zeros go between its sign or prefix and its digits. */
function padNumber(spec: Spec, prefix: string, digits: string, canZero: boolean): string {
  const isZero = canZero && spec.flags.includes("0") && !spec.flags.includes("-");
  const missing = spec.width - prefix.length - digits.length;
  if (isZero && missing > 0) return prefix + "0".repeat(missing) + digits;
  return pad(spec, prefix + digits);
}

export function signed(spec: Spec, value: bigint): string {
  const wrapped = BigInt.asIntN(64, value);
  const digits = exactDigits((wrapped < 0n ? -wrapped : wrapped).toString(), spec);
  return padNumber(spec, signOf(spec, wrapped < 0n), digits, spec.precision === undefined);
}

export function unsigned(spec: Spec, value: bigint): string {
  const base = spec.conversion === "o" ? 8 : spec.conversion === "u" ? 10 : 16;
  const lower = exactDigits(value.toString(base), spec);
  const digits = spec.conversion === "X" ? lower.toUpperCase() : lower;
  if (!spec.flags.includes("#") || value === 0n || base === 10) {
    return padNumber(spec, "", digits, spec.precision === undefined);
  }
  const prefix = base === 8 ? (digits.startsWith("0") ? "" : "0") : `0${spec.conversion}`;
  return padNumber(spec, prefix, digits, spec.precision === undefined);
}

function exactDigits(digits: string, { precision }: Spec): string {
  if (precision === 0 && digits === "0") return "";
  return digits.padStart(precision ?? 0, "0");
}

function signOf({ flags }: Spec, isNegative: boolean): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

export function floating(spec: Spec, value: number): string {
  const isUpper = /[EFGA]/.test(spec.conversion);
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const isFinite = Number.isFinite(size);
  const text = isFinite ? floatDigits(spec, size) : Number.isNaN(size) ? "nan" : "inf";
  return padNumber(spec, signOf(spec, isNegative), isUpper ? text.toUpperCase() : text, isFinite);
}

function floatDigits({ conversion, precision = 6, flags }: Spec, size: number): string {
  switch (conversion.toLowerCase()) {
    case "e":
      return exponent(size.toExponential(Math.min(precision, 100)));
    case "g":
      return general(size, precision === 0 ? 1 : Math.min(precision, 100), flags.includes("#"));
    case "a":
      return hexadecimal(size);
    default:
      return fixed(size, precision) + (flags.includes("#") && precision === 0 ? "." : "");
  }
}

/** As C shows a long double: the first digit is 8 to f. */
function hexadecimal(size: number): string {
  if (size === 0) return "0x0p+0";
  const { mantissa, power } = splitDouble(size);
  const length = mantissa.toString(2).length;
  const digits = (mantissa << BigInt(64 - length)).toString(16);
  const tail = digits.slice(1).replace(/0+$/, "");
  const exponentOf = power + length - 4;
  return `0x${digits.charAt(0)}${tail === "" ? "" : `.${tail}`}p${exponentOf < 0 ? "-" : "+"}${Math.abs(exponentOf)}`;
}

/** A double as an integer times a power of two. */
function splitDouble(size: number): { readonly mantissa: bigint; readonly power: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const biased = Number((bits >> 52n) & 0x7ffn);
  if (biased === 0) return { mantissa: fraction, power: -1074 };
  return { mantissa: fraction | (1n << 52n), power: biased - 1075 };
}

/** Exactly, with ties to the even digit, as C rounds. */
function fixed(size: number, precision: number): string {
  const { mantissa, power } = splitDouble(size);
  const scaled = mantissa * 10n ** BigInt(precision);
  let whole = power >= 0 ? scaled << BigInt(power) : scaled >> BigInt(-power);
  if (power < 0) {
    const rest = scaled - (whole << BigInt(-power));
    const half = 1n << BigInt(-power - 1);
    if (rest > half || (rest === half && (whole & 1n) === 1n)) whole += 1n;
  }
  const digits = whole.toString().padStart(precision + 1, "0");
  if (precision === 0) return digits;
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** C has at least two digits in an exponent. */
function exponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, "e$10$2");
}

function general(size: number, precision: number, keepsZeros: boolean): string {
  const power = size === 0 ? 0 : Number(size.toExponential(precision - 1).split("e")[1]);
  const text =
    power < -4 || power >= precision
      ? size.toExponential(precision - 1)
      : size.toFixed(precision - 1 - power);
  if (keepsZeros) return exponent(text);
  const [digits = "", tail] = text.split("e");
  const short = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return tail === undefined ? short : exponent(`${short}e${tail}`);
}
