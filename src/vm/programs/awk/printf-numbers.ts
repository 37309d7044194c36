/** Numbers as printf's conversions show them. */
import { exponentialText, fixedText, generalText, specialText } from "./number-text.ts";

/** A directive with its sizes known. */
export interface Spec {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** Zeros go between the sign or prefix and the digits. */
function padNumber(prefix: string, digits: string, spec: Spec, canZero: boolean): string {
  const { flags, width } = spec;
  const missing = width - prefix.length - digits.length;
  if (missing <= 0) return prefix + digits;
  if (flags.includes("-")) return prefix + digits + " ".repeat(missing);
  if (canZero && flags.includes("0")) return prefix + "0".repeat(missing) + digits;
  return " ".repeat(missing) + prefix + digits;
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return "-";
  return flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
}

function special(value: number, spec: Spec): string {
  return padNumber("", specialText(value), spec, false);
}

export function integer(value: number, spec: Spec): string {
  if (!Number.isFinite(value)) return special(value, spec);
  const size = Math.abs(value);
  const plain = size < 1e15 ? String(size) : BigInt(size).toString();
  const digits =
    spec.precision === 0 && value === 0 ? "" : plain.padStart(spec.precision ?? 0, "0");
  return padNumber(signOf(value < 0, spec.flags), digits, spec, spec.precision === undefined);
}

export function unsigned(value: number, spec: Spec): string {
  if (!Number.isFinite(value)) return special(value, spec);
  if (value < -(2 ** 63) || value >= 2 ** 64) {
    const conversion = spec.conversion === "u" ? "f" : "g";
    return floating(value, {
      ...spec,
      conversion,
      precision: conversion === "f" ? 0 : spec.precision,
    });
  }
  const { conversion, flags, precision } = spec;
  const base = conversion === "o" ? 8 : conversion === "u" ? 10 : 16;
  const plain = BigInt.asUintN(64, BigInt(value)).toString(base);
  const cased = conversion === "X" ? plain.toUpperCase() : plain;
  const digits = precision === 0 && value === 0 ? "" : cased.padStart(precision ?? 0, "0");
  const hasPrefix = flags.includes("#") && value !== 0;
  const prefix = !hasPrefix
    ? ""
    : base === 16
      ? `0${conversion}`
      : base === 8 && !digits.startsWith("0")
        ? "0"
        : "";
  return padNumber(prefix, digits, spec, precision === undefined);
}

export function floating(value: number, spec: Spec): string {
  if (!Number.isFinite(value)) return special(value, spec);
  const { conversion, flags, precision = 6 } = spec;
  const isNegative = value < 0 || Object.is(value, -0);
  const size = Math.abs(value);
  const text = floatText(size, precision, conversion.toLowerCase(), flags.includes("#"));
  const isUpper = conversion < "a" && conversion !== "F";
  return padNumber(signOf(isNegative, flags), isUpper ? text.toUpperCase() : text, spec, true);
}

function floatText(size: number, precision: number, conversion: string, isKept: boolean): string {
  if (conversion === "e") return exponentialText(size, precision);
  if (conversion === "g") return generalText(size, precision, isKept);
  if (conversion === "a") return hexText(size);
  return fixedText(size, precision) + (isKept && precision === 0 ? "." : "");
}

/** C's `%a`. */
function hexText(size: number): string {
  if (size === 0) return "0x0p+0";
  const power = Math.floor(Math.log2(size));
  const mantissa = (size / 2 ** power).toString(16);
  return `0x${mantissa}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}
