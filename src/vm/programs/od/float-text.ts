/** Floating point numbers as od shows them: the fewest digits that read back the same. */

export function float32Text(value: number): string {
  return shortest(value, 6, 9, 1.1754943508222875e-38, (text) => Math.fround(Number(text)));
}

export function float64Text(value: number): string {
  return shortest(value, 15, 17, 2.2250738585072014e-308, Number);
}

// oxlint-disable-next-line max-params -- one row of <float.h>
function shortest(
  value: number,
  least: number,
  most: number,
  smallest: number,
  readBack: (text: string) => number,
): string {
  const special = specialText(value);
  if (special !== undefined) return special;
  for (let digits = Math.abs(value) < smallest ? 1 : least; digits < most; digits++) {
    const text = value.toPrecision(digits);
    if (readBack(text) === value) return generalText(text, digits);
  }
  return generalText(value.toPrecision(most), most);
}

function specialText(value: number): string | undefined {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  return undefined;
}

/** C's %g of a number written by toPrecision. */
function generalText(text: string, digits: number): string {
  const [mantissa, exponent] = scientific(text);
  return layOut(mantissa, exponent, digits);
}

/** Its digits without a point, with a sign, and the exponent of the first. */
function scientific(text: string): [string, number] {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(text) ?? [];
  const digits = (whole + part).replace(/^0+/, "");
  const zeros = (whole + part).length - digits.length;
  return [sign + digits, Number(power) + whole.length - 1 - zeros];
}

function layOut(signed: string, exponent: number, precision: number): string {
  const sign = signed.startsWith("-") ? "-" : "";
  const digits = signed.replace("-", "").replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= precision) {
    const tail = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const power = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits.charAt(0)}${tail}e${exponent < 0 ? "-" : "+"}${power}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const part = digits.slice(exponent + 1);
  return `${sign}${whole}${part === "" ? "" : `.${part}`}`;
}

const MANTISSA_BITS = 63;
const BIAS = 16_383;

/** An x87 extended number, from its 10 bytes in little order. */
export function float80Text(bytes: Uint8Array): string {
  let mantissa = 0n;
  for (let at = 7; at >= 0; at--) mantissa = (mantissa << 8n) | BigInt(bytes[at] ?? 0);
  const top = (bytes[8] ?? 0) | ((bytes[9] ?? 0) << 8);
  const sign = (top & 0x8000) === 0 ? "" : "-";
  const exponent = top & 0x7fff;
  const isWhole = mantissa >> 63n === 1n;
  if (exponent === 0x7fff) return mantissa << 1n === 1n << 64n ? `${sign}inf` : `${sign}nan`;
  if (exponent !== 0 && !isWhole) return `${sign}nan`;
  if (mantissa === 0n) return `${sign}0`;
  const power = (exponent === 0 ? 1 : exponent) - BIAS - MANTISSA_BITS;
  const [numerator, denominator] =
    power >= 0 ? [mantissa << BigInt(power), 1n] : [mantissa, 1n << BigInt(-power)];
  for (let digits = exponent === 0 ? 1 : 18; ; digits++) {
    const [text, tens] = roundTo(numerator, denominator, digits);
    if (digits >= 21 || isNearest(text, tens - digits + 1, mantissa, power))
      return layOut(sign + text, tens, digits);
  }
}

/** A fraction's first digits, rounded to even, and the exponent of the first. */
function roundTo(numerator: bigint, denominator: bigint, digits: number): [string, number] {
  const guess = numerator.toString().length - denominator.toString().length;
  for (const exponent of [guess, guess - 1]) {
    const shift = digits - 1 - exponent;
    const scaled = shift >= 0 ? numerator * 10n ** BigInt(shift) : numerator;
    const by = shift >= 0 ? denominator : denominator * 10n ** BigInt(-shift);
    let quotient = scaled / by;
    const rest = (scaled % by) * 2n;
    if (rest > by || (rest === by && quotient % 2n === 1n)) quotient += 1n;
    const text = quotient.toString();
    if (text.length === digits) return [text, exponent];
    if (text.length === digits + 1) return [text.slice(0, digits), exponent + 1];
  }
  return ["0", 0];
}

/** Whether digits × 10^tens lies within half a step of mantissa × 2^power. */
function isNearest(digits: string, tens: number, mantissa: bigint, power: number): boolean {
  const up = 10n ** BigInt(Math.max(0, tens)) * (1n << BigInt(Math.max(0, -power)));
  const down = 10n ** BigInt(Math.max(0, -tens)) * (1n << BigInt(Math.max(0, power)));
  const difference = BigInt(digits) * up - mantissa * down;
  const distance = (difference < 0n ? -difference : difference) * 2n;
  return mantissa % 2n === 0n ? distance <= down : distance < down;
}
