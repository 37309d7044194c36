/** tar's header blocks: GNU's are written; ustar's, GNU's and pax's are read. */
import { decodeText, encodeText } from "../../../kernel/index.ts";

export const BLOCK_BYTES = 512;

export interface Member {
  readonly name: string;
  /** One letter: `0` file, `1` hard link, `2` symbolic link, `3` device, `5` directory, `6` fifo. */
  readonly type: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly linkName: string;
  readonly userName: string;
  readonly groupName: string;
  readonly device: { readonly major: number; readonly minor: number };
}

const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  linkName: [157, 100],
  magic: [257, 8],
  userName: [265, 32],
  groupName: [297, 32],
  major: [329, 8],
  minor: [337, 8],
  prefix: [345, 155],
} as const satisfies Record<string, readonly [number, number]>;

type Field = keyof typeof fields;

/** Undefined for a block that is no header; `empty` for one of zeros. */
export function parseHeader(block: Uint8Array): Member | "empty" | undefined {
  if (block.every((byte) => byte === 0)) return "empty";
  if (!isChecksumRight(block)) return undefined;
  const magic = text(block, "magic");
  const isUstar = magic === "ustar" || magic.startsWith("ustar\0");
  const isGnu = magic.startsWith("ustar  ");
  const prefix = isUstar && !isGnu ? text(block, "prefix") : "";
  const name = text(block, "name");
  const flag = decodeText(block.subarray(156, 157));
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    type: flag === "\0" || flag === "7" ? "0" : flag,
    mode: number(block, "mode") & 0o7777,
    uid: number(block, "uid"),
    gid: number(block, "gid"),
    size: number(block, "size"),
    mtimeMs: number(block, "mtime") * 1000,
    linkName: text(block, "linkName"),
    userName: isUstar || isGnu ? text(block, "userName") : "",
    groupName: isUstar || isGnu ? text(block, "groupName") : "",
    device: { major: number(block, "major"), minor: number(block, "minor") },
  };
}

function text(block: Uint8Array, field: Field): string {
  const [start, length] = fields[field];
  const bytes = block.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return decodeText(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Octal digits, or, with the highest bit set, a number of base 256. */
function number(block: Uint8Array, field: Field): number {
  const [start, length] = fields[field];
  const bytes = block.subarray(start, start + length);
  const [first = 0] = bytes;
  if ((first & 0x80) !== 0) {
    let value = first === 0xff ? -1 : first & 0x7f;
    for (const byte of bytes.subarray(1)) value = value * 256 + byte;
    return value;
  }
  const digits = /^[ \0]*([0-7]*)/.exec(decodeText(bytes))?.[1] ?? "";
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function isChecksumRight(block: Uint8Array): boolean {
  return number(block, "checksum") === checksum(block);
}

function checksum(block: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
  return sum;
}

export type HeaderFormat = "gnu" | "ustar" | "v7";

/** The header blocks for a member; in GNU's format long names come before it in members of their own. */
export function makeHeader(member: Member, format: HeaderFormat): Uint8Array[] {
  if (format === "ustar") return [makeUstarHeader(member)];
  const block = new Uint8Array(BLOCK_BYTES);
  putCommon(block, member);
  put(block, "name", encodeText(member.name));
  if (format === "v7") {
    if (member.type === "0") put(block, "type", new Uint8Array(1));
    seal(block);
    return [block];
  }
  return [...longNames(member), gnuHeader(block, member)];
}

function makeUstarHeader(member: Member): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  putCommon(block, member);
  const split = splitName(encodeText(member.name));
  put(block, "name", split?.name ?? encodeText(member.name));
  put(block, "prefix", split?.prefix ?? new Uint8Array(0));
  put(block, "magic", encodeText("ustar\x0000"));
  put(block, "userName", encodeText(member.userName));
  put(block, "groupName", encodeText(member.groupName));
  const isDevice = member.type === "3" || member.type === "4";
  putNumber(block, "major", isDevice ? member.device.major : 0);
  putNumber(block, "minor", isDevice ? member.device.minor : 0);
  seal(block);
  return block;
}

/** Why a format has no place for a member; undefined where it has. */
export function formatProblem({ name }: Member, format: HeaderFormat): string | undefined {
  const bytes = encodeText(name);
  if (format === "v7" && bytes.length > 99) return "file name is too long (max 99); not dumped";
  if (format !== "ustar" || bytes.length <= 100) return undefined;
  if (bytes.length > 256) return "file name is too long (max 256); not dumped";
  if (splitName(bytes) === undefined) return "file name is too long (cannot be split); not dumped";
  return undefined;
}

/** A name in two parts at a slash; undefined where none is in its place. */
function splitName(
  bytes: Uint8Array,
): { readonly prefix: Uint8Array; readonly name: Uint8Array } | undefined {
  if (bytes.length <= 100) return { prefix: new Uint8Array(0), name: bytes };
  const isDirectory = bytes.at(-1) === 0x2f;
  const from = Math.min(isDirectory ? bytes.length - 2 : bytes.length - 1, 155);
  const at = bytes.lastIndexOf(0x2f, from);
  if (at <= 0 || bytes.length - at - 1 > 100) return undefined;
  return { prefix: bytes.subarray(0, at), name: bytes.subarray(at + 1) };
}

function putCommon(block: Uint8Array, member: Member): void {
  put(block, "linkName", encodeText(member.linkName));
  putNumber(block, "mode", member.mode);
  putNumber(block, "uid", member.uid);
  putNumber(block, "gid", member.gid);
  putNumber(block, "size", member.size);
  putNumber(block, "mtime", Math.floor(member.mtimeMs / 1000));
  put(block, "type", encodeText(member.type));
}

function longNames(member: Member): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  const name = encodeText(member.name);
  const linkName = encodeText(member.linkName);
  const owner = member.userName === "" ? "" : "root";
  if (linkName.length > 100) blocks.push(...longName("K", linkName, owner));
  if (name.length > 100) blocks.push(...longName("L", name, owner));
  return blocks;
}

function gnuHeader(block: Uint8Array, member: Member): Uint8Array {
  put(block, "magic", encodeText("ustar  \0"));
  put(block, "userName", encodeText(member.userName));
  put(block, "groupName", encodeText(member.groupName));
  if (member.type === "3" || member.type === "4") {
    putNumber(block, "major", member.device.major);
    putNumber(block, "minor", member.device.minor);
  }
  seal(block);
  return block;
}

function longName(type: string, name: Uint8Array, owner: string): Uint8Array[] {
  const block = new Uint8Array(BLOCK_BYTES);
  put(block, "name", encodeText("././@LongLink"));
  putNumber(block, "mode", 0o644);
  putNumber(block, "uid", 0);
  putNumber(block, "gid", 0);
  putNumber(block, "size", name.length + 1);
  putNumber(block, "mtime", 0);
  put(block, "type", encodeText(type));
  put(block, "magic", encodeText("ustar  \0"));
  put(block, "userName", encodeText(owner));
  put(block, "groupName", encodeText(owner));
  seal(block);
  const data = new Uint8Array(roundUp(name.length + 1));
  data.set(name);
  return [block, data];
}

function put(block: Uint8Array, field: Field, bytes: Uint8Array): void {
  const [start, length] = fields[field];
  block.set(bytes.subarray(0, length), start);
}

function putNumber(block: Uint8Array, field: Field, value: number): void {
  const [start, length] = fields[field];
  const digits = Math.trunc(value).toString(8);
  if (value >= 0 && digits.length < length) {
    block.set(encodeText(digits.padStart(length - 1, "0")), start);
    return;
  }
  let rest = Math.trunc(value);
  for (let at = start + length - 1; at > start; at--) {
    block[at] = ((rest % 256) + 256) % 256;
    rest = Math.floor(rest / 256);
  }
  block[start] = value < 0 ? 0xff : 0x80;
}

function seal(block: Uint8Array): void {
  block.set(encodeText(`${checksum(block).toString(8).padStart(6, "0")}\0 `), 148);
}

/** To whole blocks. */
export function roundUp(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
}
