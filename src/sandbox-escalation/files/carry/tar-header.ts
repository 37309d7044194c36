/** A tar header, see tar(5): the old fields, GNU's long names, and times to the nanosecond as pax has them. */
import { SandboxError } from "../../provider.ts";

export const BLOCK_BYTES = 512;

export type TarType = "file" | "directory" | "symlink" | "hardlink";

export interface TarHeader {
  readonly type: TarType;
  readonly name: Uint8Array;
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where a link leads. */
  readonly target: Uint8Array;
}

const TYPES: Readonly<Record<TarType, string>> = {
  file: "0",
  hardlink: "1",
  symlink: "2",
  directory: "5",
};
const LONG_NAME = "L";
const LONG_TARGET = "K";
const PAX = "x";
const NAME_FIELD = 100;
/** What octal digits of a size hold. */
const OCTAL_LIMIT = 8 ** 11;

/** All blocks before the content. */
export function encodeHeader(header: TarHeader): Uint8Array {
  const { name, target, mtimeMs } = header;
  const parts: Uint8Array[] = [];
  if (name.length >= NAME_FIELD) parts.push(...extra(LONG_NAME, withNul(name)));
  if (target.length >= NAME_FIELD) parts.push(...extra(LONG_TARGET, withNul(target)));
  const seconds = Math.floor(mtimeMs / 1000);
  const micros = Math.round((mtimeMs - seconds * 1000) * 1000);
  if (micros > 0 && mtimeMs >= 0)
    parts.push(...extra(PAX, paxRecord(`mtime=${seconds}.${String(micros).padStart(6, "0")}`)));
  parts.push(block(TYPES[header.type], header));
  return Buffer.concat(parts);
}

/** Fills the last block of content. */
export function paddingFor(size: number): Uint8Array {
  return new Uint8Array((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

function extra(flag: string, bytes: Uint8Array): Uint8Array[] {
  const none = new Uint8Array(0);
  const name = Buffer.from("././@LongLink");
  const facts = { name, mode: 0, size: bytes.length, mtimeMs: 0, target: none };
  return [block(flag, facts), bytes, paddingFor(bytes.length)];
}

function withNul(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(1)]);
}

/** Its length counts itself. */
function paxRecord(text: string): Uint8Array {
  const rest = ` ${text}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return Buffer.from(`${length}${rest}`);
}

function block(flag: string, facts: Omit<TarHeader, "type">): Uint8Array {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  bytes.set(facts.name.subarray(0, NAME_FIELD - 1), 0);
  bytes.write(`${octal(facts.mode, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100, "latin1");
  putNumber(bytes, 124, facts.size);
  putNumber(bytes, 136, Math.max(0, Math.floor(facts.mtimeMs / 1000)));
  bytes.write("        ", 148, "latin1");
  bytes.write(flag, 156, "latin1");
  bytes.set(facts.target.subarray(0, NAME_FIELD - 1), 157);
  bytes.write("ustar  \0", 257, "latin1");
  bytes.write(`${octal(sumOf(bytes), 6)}\0 `, 148, "latin1");
  return bytes;
}

/** Twelve bytes: octal, or in base 256 where that does not do. */
function putNumber(bytes: Buffer, at: number, value: number): void {
  if (value < OCTAL_LIMIT) {
    bytes.write(`${octal(value, 11)}\0`, at, "latin1");
    return;
  }
  bytes[at] = 0x80;
  bytes.writeBigUInt64BE(BigInt(value), at + 4);
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width, "0");
}

/** Of all bytes, those of the sum itself taken for spaces. */
export function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK_BYTES; i++) sum += i >= 148 && i < 156 ? 0x20 : (bytes[i] ?? 0);
  return sum;
}

export interface RawHeader {
  readonly flag: string;
  readonly name: Uint8Array;
  readonly mode: number;
  readonly size: number;
  readonly target: Uint8Array;
}

/** Undefined for a block of zeros. SandboxError "failed" for what is no header. */
export function decodeBlock(bytes: Uint8Array): RawHeader | undefined {
  if (bytes.every((byte) => byte === 0)) return undefined;
  if (numberIn(bytes.subarray(148, 156)) !== sumOf(bytes)) throw notTar();
  const prefix = isUstar(bytes) ? textIn(bytes.subarray(345, 500)) : new Uint8Array(0);
  const name = textIn(bytes.subarray(0, NAME_FIELD));
  return {
    flag: String.fromCharCode(bytes[156] ?? 0),
    name: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.from("/"), name]),
    mode: numberIn(bytes.subarray(100, 108)),
    size: numberIn(bytes.subarray(124, 136)),
    target: textIn(bytes.subarray(157, 257)),
  };
}

export function notTar(): SandboxError {
  return new SandboxError("failed", "what the sandbox sends is no archive");
}

/** GNU's headers have other things where ustar's have the beginning of a long name. */
function isUstar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 263)).toString("latin1") === "ustar\0";
}

function textIn(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0);
  return field.slice(0, end === -1 ? field.length : end);
}

function numberIn(field: Uint8Array): number {
  const bytes = Buffer.from(field);
  if (((bytes[0] ?? 0) & 0x80) !== 0) {
    const value = bytes.length >= 12 ? Number(bytes.readBigUInt64BE(bytes.length - 8)) : NaN;
    if (!Number.isSafeInteger(value)) throw notTar();
    return value;
  }
  const text = bytes
    .toString("latin1")
    .replace(/[\0 ].*$/s, (rest) => (/^[\0 ]*$/.test(rest) ? "" : "?"));
  if (!/^[0-7]*$/.test(text)) throw notTar();
  return text === "" ? 0 : Number.parseInt(text, 8);
}
