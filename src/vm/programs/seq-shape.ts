/** How seq(1) shows its numbers: as its operands are written. */

/** What toFixed takes. */
const DIGITS_LIMIT = 100;

/** Digits behind the point, and columns where all numbers have the same. */
export function shapeOf([first = "", step = "", last = ""]: readonly string[]): {
  readonly digits: number;
  readonly width: number;
} {
  const [one, by, end] = [first, step, last].map(measure);
  const digits = Math.max(one?.digits ?? 0, by?.digits ?? 0);
  return { digits, width: Math.max(widened(one, digits), widened(end, digits)) };
}

interface Measure {
  readonly digits: number;
  readonly width: number;
}

/** The width with that many digits behind the point, and with no point where there are none. */
function widened(measure: Measure | undefined, digits: number): number {
  const { digits: own, width } = measure ?? { digits: 0, width: 1 };
  const point = Number(digits > 0) - Number(own > 0);
  return width + digits - own + point;
}

/** The digits and the width of a number once its exponent is written out. */
function measure(operand: string): Measure {
  const text = operand.replace(/^\s*\+?/, "");
  if (/x/i.test(text)) return { digits: 0, width: 1 };
  if (/inf/i.test(text)) return { digits: 0, width: text.length };
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const shift = Math.max(-DIGITS_LIMIT, Math.min(DIGITS_LIMIT, Number(exponent)));
  const digits = Math.min(DIGITS_LIMIT, Math.max(0, fraction.length - shift));
  const before = Math.max(whole.length, 1) + Math.max(0, shift);
  return { digits, width: sign.length + before + digits + Number(digits > 0) };
}

/** A number with so many digits behind the point; zero keeps its sign. */
export function fixed(value: number, digits: number): string {
  if (Number.isFinite(value) && Math.abs(value) >= 1e21)
    return digits === 0 ? String(BigInt(value)) : `${BigInt(value)}.${"0".repeat(digits)}`;
  const text = value.toFixed(digits);
  return Object.is(value, -0) ? `-${text}` : text;
}
