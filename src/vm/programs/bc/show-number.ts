/** Numbers as bc prints them, in any base from 2 up. */
import { type Num, tenTo } from "./number.ts";

const letters = "0123456789ABCDEF";

export function showNumber(value: Num, base: number): string {
  if (value.digits === 0n) return "0";
  const sign = value.digits < 0n ? "-" : "";
  const size = { digits: value.digits < 0n ? -value.digits : value.digits, scale: value.scale };
  return sign + (base === 10 ? showDecimal(size) : showInBase(size, base));
}

function showDecimal({ digits, scale }: Num): string {
  const text = digits.toString();
  if (scale === 0) return text;
  const padded = text.padStart(scale, "0");
  return `${padded.slice(0, padded.length - scale)}.${padded.slice(padded.length - scale)}`;
}

function showInBase({ digits, scale }: Num, base: number): string {
  const unit = tenTo(scale);
  const radix = BigInt(base);
  const width = String(base - 1).length;
  const whole = digits < unit ? [] : digitsInBase(digits / unit, radix);
  const made = whole.map((digit) => showDigit(digit, base, width, true)).join("");
  if (scale === 0) return made;
  const count = fractionDigits(scale, radix);
  const power = radix ** BigInt(count);
  const part = digitsInBase(((digits % unit) * power) / unit, radix);
  const padded = [...Array.from({ length: count - part.length }, () => 0n), ...part];
  return `${made}.${padded.map((digit, at) => showDigit(digit, base, width, at > 0)).join("")}`;
}

/** As many digits as the base needs to tell what the decimal ones did. */
function fractionDigits(scale: number, radix: bigint): number {
  const wanted = tenTo(scale);
  let count = Math.max(0, Math.floor(scale / Math.log10(Number(radix))) - 2);
  for (let power = radix ** BigInt(count); power < wanted; power *= radix) count += 1;
  return count;
}

/** The digits of a number, none for zero: halves first, which takes less than one after the other. */
function digitsInBase(value: bigint, radix: bigint): bigint[] {
  if (value === 0n) return [];
  const powers = [radix];
  for (let power = radix; power * power <= value; ) {
    power *= power;
    powers.push(power);
  }
  const made: bigint[] = [];
  addDigits(value, powers, powers.length, made);
  return made;
}

/** Puts 2^level digits behind `made`; the zeros before the first digit of all are left out. */
function addDigits(value: bigint, powers: readonly bigint[], level: number, made: bigint[]): void {
  const power = powers[level - 1];
  if (power === undefined) {
    if (made.length > 0 || value !== 0n) made.push(value);
    return;
  }
  addDigits(value / power, powers, level - 1, made);
  addDigits(value % power, powers, level - 1, made);
}

/** Beyond base 16 digits are decimal numbers with a space between them. */
function showDigit(digit: bigint, base: number, width: number, hasSpace: boolean): string {
  if (base <= 16) return letters[Number(digit)] ?? "";
  return `${hasSpace ? " " : ""}${digit.toString().padStart(width, "0")}`;
}
