/** `@csv`, `@sh` and the other formats. */
import { decodeText, encodeText } from "../../../kernel/index.ts";
import { typeError } from "./arithmetic.ts";
import { toJson } from "./json-writer.ts";
import { formatNumber } from "./number-text.ts";
import { isArray, isNumber, isObject, JqError, numberOf, type Value } from "./value.ts";

/** A string as it is, anything else as JSON. */
export function toText(value: Value): string {
  return typeof value === "string" ? value : toJson(value);
}

const formats: ReadonlyMap<string, (value: Value) => string> = new Map([
  ["text", toText],
  ["json", toJson],
  ["csv", (value: Value) => row(value, "csv", ",", csvCell)],
  ["tsv", (value: Value) => row(value, "tsv", "\t", tsvCell)],
  [
    "html",
    (value: Value) => toText(value).replaceAll(/[<>&'"]/g, (one) => entities.get(one) ?? one),
  ],
  ["uri", (value: Value) => encodeUri(toText(value))],
  ["sh", quoteForShell],
  ["base64", (value: Value) => encodeBase64(encodeText(toText(value)))],
  ["base64d", decodeBase64],
  ["base32", (value: Value) => encodeBase32(encodeText(toText(value)))],
  ["base32d", decodeBase32],
]);

/** `value | @name`. Fails with a JqError. */
export function formatWith(name: string, value: Value): string {
  const format = formats.get(name);
  if (format === undefined) throw new JqError(`${name} is not a valid format`);
  return format(value);
}

const entities = new Map([
  ["<", "&lt;"],
  [">", "&gt;"],
  ["&", "&amp;"],
  ["'", "&apos;"],
  ['"', "&quot;"],
]);

function row(value: Value, name: string, between: string, cell: (text: string) => string): string {
  if (!isArray(value)) throw typeError(value, `cannot be ${name}-formatted, only array`);
  return value
    .map((one) => {
      if (one === null) return "";
      if (typeof one === "boolean") return String(one);
      if (isNumber(one)) return Number.isNaN(numberOf(one)) ? "" : csvNumber(one);
      if (typeof one === "string") return cell(one);
      throw typeError(one, "is not valid in a csv row");
    })
    .join(between);
}

function csvNumber(value: Value): string {
  return typeof value === "number" ? formatNumber(value) : toJson(value);
}

function csvCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const tabEscapes = new Map([
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\\", "\\\\"],
]);

function tsvCell(text: string): string {
  return text.replaceAll(/[\t\n\r\\]/g, (one) => tabEscapes.get(one) ?? one);
}

function encodeUri(text: string): string {
  const bytes = encodeText(text);
  let encoded = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9\-_.~!*'()]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

function quoteForShell(value: Value): string {
  return (isArray(value) ? value : [value])
    .map((one) => {
      if (typeof one === "string") return `'${one.replaceAll("'", "'\\''")}'`;
      if (isArray(one) || isObject(one)) throw typeError(one, "can not be escaped for shell");
      return toJson(one);
    })
    .join(" ");
}

function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function decodeBase64(value: Value): string {
  const text = toText(value);
  const clean = text.replace(/=+$/, "");
  if (/[^A-Za-z0-9+/]/.test(clean)) throw typeError(value, "is not valid base64 data");
  if (clean.length % 4 === 1) {
    if (clean.length === 1) throw typeError(value, "trailing base64 byte found");
    throw typeError(value, "trailing base64 byte found");
  }
  const binary = atob(clean);
  return decodeText(Uint8Array.from(binary, (one) => one.charCodeAt(0))).toWellFormed();
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function encodeBase32(bytes: Uint8Array): string {
  let encoded = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) encoded += base32[(held >> (bits - 5)) & 31] ?? "";
    held &= 0xff;
  }
  if (bits > 0) encoded += base32[(held << (5 - bits)) & 31] ?? "";
  return encoded.padEnd(Math.ceil(encoded.length / 8) * 8, "=");
}

function decodeBase32(value: Value): string {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of toText(value).replace(/=+$/, "")) {
    const digit = base32.indexOf(character);
    if (digit === -1) throw typeError(value, "is not valid base32 data");
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return decodeText(Uint8Array.from(bytes)).toWellFormed();
}
