/** How jq writes numbers, and the ones it keeps as they were written. */

// Deviation: jq keeps the text of large integers only; 1.7 keeps that of `1.000` and `1e2`, too.
/** An integer whose text says more than a double holds; arithmetic makes it a double. */
export class NumberLiteral {
  readonly number: number;
  readonly text: string;

  constructor(number: number, text: string) {
    this.number = number;
    this.text = text;
  }
}

/** Digits any double holds, or fewer: nothing is lost. */
const SAFE_DIGITS = 15;

/** The value of a number's text, which is known to be one. */
export function parseNumber(text: string): number | NumberLiteral {
  const number = Number(text);
  if (text.length <= SAFE_DIGITS || !/^-?[1-9]\d*$/.test(text)) return number;
  return formatNumber(number) === text ? number : new NumberLiteral(number, text);
}

/** A double in at most 17 digits, as jq writes it. */
export function formatNumber(number: number): string {
  if (Number.isInteger(number) && Math.abs(number) < 1e15) {
    return Object.is(number, -0) ? "-0" : String(number);
  }
  if (Number.isNaN(number)) return "null";
  if (!Number.isFinite(number)) {
    return number > 0 ? "1.7976931348623157e+308" : "-1.7976931348623157e+308";
  }
  return formatShortest(number);
}

/** The fewest digits that lead back to the double, laid out as David Gay's g_fmt does. */
function formatShortest(number: number): string {
  const [mantissa = "", exponentText = "0"] = number.toExponential().split("e");
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace("-", "").replace(".", "");
  const point = exponent + 1;
  if (point <= -4 || point > digits.length + 15) {
    const rest = digits.length === 1 ? "" : `.${digits.slice(1)}`;
    const shown = Math.abs(exponent).toString().padStart(2, "0");
    return `${sign}${digits.slice(0, 1)}${rest}e${exponent < 0 ? "-" : "+"}${shown}`;
  }
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, "0")}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
