/** Entries of a zip file, APPNOTE.TXT: their headers as bytes. */
import { decodeText, encodeText, type FileKind, formatOf } from "../../../kernel/index.ts";
import { readUint32, uint32 } from "../archive/gzip-format.ts";

export const STORED = 0;
export const DEFLATED = 8;
export const LOCAL_MAGIC = 0x04034b50;
export const CENTRAL_MAGIC = 0x02014b50;
export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
/** Entries made on Unix, by version 3.0 of this format. */
const MADE_BY = 0x031e;
const TIME_FIELD = 0x5455;
const ZIP64_FIELD = 0x0001;

export interface ZipEntry {
  readonly name: string;
  readonly madeBy: number;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
  readonly mtimeMs: number;
  readonly kind: FileKind;
  readonly mode: number;
  readonly isText: boolean;
  readonly hasExtra: boolean;
}

export function readUint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
}

function uint16(value: number): number[] {
  return [value & 255, (value >>> 8) & 255];
}

function readUint64(bytes: Uint8Array, at: number): number {
  return readUint32(bytes, at) + readUint32(bytes, at + 4) * 2 ** 32;
}

/** The entry at a place of the central directory, and where the next is; undefined where there is none. */
export function parseCentral(
  bytes: Uint8Array,
  at: number,
): { readonly entry: ZipEntry; readonly next: number } | undefined {
  if (at + CENTRAL_BYTES > bytes.length || readUint32(bytes, at) !== CENTRAL_MAGIC)
    return undefined;
  const nameEnd = at + CENTRAL_BYTES + readUint16(bytes, at + 28);
  const extraEnd = nameEnd + readUint16(bytes, at + 30);
  const next = extraEnd + readUint16(bytes, at + 32);
  if (next > bytes.length) return undefined;
  const extra = parseExtra(bytes.subarray(nameEnd, extraEnd));
  const name = decodeText(bytes.subarray(at + CENTRAL_BYTES, nameEnd));
  const madeBy = readUint16(bytes, at + 4);
  const attributes = readUint32(bytes, at + 38);
  const sizes = readSizes(bytes, at, extra.get(ZIP64_FIELD));
  const time = extra.get(TIME_FIELD);
  const hasTime = time !== undefined && time.length >= 5 && ((time[0] ?? 0) & 1) !== 0;
  const entry: ZipEntry = {
    name,
    madeBy,
    flags: readUint16(bytes, at + 8),
    method: readUint16(bytes, at + 10),
    crc: readUint32(bytes, at + 16),
    ...sizes,
    mtimeMs: hasTime ? (readUint32(time, 1) | 0) * 1000 : dosTime(readUint32(bytes, at + 12)),
    ...readMode(name, madeBy, attributes),
    isText: (readUint16(bytes, at + 36) & 1) !== 0,
    hasExtra: extraEnd > nameEnd,
  };
  return { entry, next };
}

/** Sizes that do not fit 32 bits stand in a field of their own, in this order. */
function readSizes(
  bytes: Uint8Array,
  at: number,
  field: Uint8Array | undefined,
): Pick<ZipEntry, "packedSize" | "size" | "offset"> {
  let place = 0;
  const pick = (value: number): number => {
    if (value !== 0xffffffff || field === undefined || place + 8 > field.length) return value;
    place += 8;
    return readUint64(field, place - 8);
  };
  const size = pick(readUint32(bytes, at + 24));
  const packedSize = pick(readUint32(bytes, at + 20));
  return { size, packedSize, offset: pick(readUint32(bytes, at + 42)) };
}

function readMode(
  name: string,
  madeBy: number,
  attributes: number,
): Pick<ZipEntry, "kind" | "mode"> {
  const bits = attributes >>> 16;
  const isUnix = madeBy >> 8 === 3 && bits !== 0;
  const isDirectory = name.endsWith("/");
  if (!isUnix)
    return { kind: isDirectory ? "directory" : "file", mode: isDirectory ? 0o755 : 0o644 };
  const format = bits & 0o170000;
  const kind = isDirectory ? "directory" : format === 0o120000 ? "symlink" : "file";
  return { kind, mode: bits & 0o7777 };
}

function parseExtra(bytes: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (let at = 0; at + 4 <= bytes.length; ) {
    const size = readUint16(bytes, at + 2);
    fields.set(readUint16(bytes, at), bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return fields;
}

function dosTime(value: number): number {
  const [date, time] = [value >>> 16, value & 0xffff];
  return Date.UTC(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
}

function toDosTime(timeMs: number): number {
  const time = new Date(Math.max(timeMs, Date.UTC(1980, 0, 1)));
  const date =
    ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock =
    (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}

function needed({ method, kind }: ZipEntry): number {
  return method === DEFLATED || kind === "directory" ? 20 : 10;
}

function timeField({ mtimeMs, hasExtra }: ZipEntry, isLocal: boolean): number[] {
  if (!hasExtra) return [];
  const seconds = uint32(Math.floor(mtimeMs / 1000) >>> 0);
  return isLocal
    ? [...uint16(TIME_FIELD), ...uint16(9), 3, ...seconds, ...seconds]
    : [...uint16(TIME_FIELD), ...uint16(5), 3, ...seconds];
}

/** Flag 8 of an entry says that its sizes follow its data. */
export function makeLocal(entry: ZipEntry): Uint8Array {
  const name = encodeText(entry.name);
  const extra = timeField(entry, true);
  const isLater = (entry.flags & 8) !== 0;
  return Uint8Array.from([
    ...uint32(LOCAL_MAGIC),
    ...uint16(needed(entry)),
    ...uint16(entry.flags),
    ...uint16(entry.method),
    ...uint32(toDosTime(entry.mtimeMs)),
    ...uint32(isLater ? 0 : entry.crc),
    ...uint32(isLater ? 0 : entry.packedSize),
    ...uint32(isLater ? 0 : entry.size),
    ...uint16(name.length),
    ...uint16(extra.length),
    ...name,
    ...extra,
  ]);
}

export function makeDescriptor({ crc, packedSize, size }: ZipEntry): Uint8Array {
  return Uint8Array.from([
    ...uint32(0x08074b50),
    ...uint32(crc),
    ...uint32(packedSize),
    ...uint32(size),
  ]);
}

export function makeCentral(entry: ZipEntry): Uint8Array {
  const name = encodeText(entry.name);
  const extra = timeField(entry, false);
  const attributes =
    ((formatOf(entry.kind) | entry.mode) << 16) | (entry.kind === "directory" ? 16 : 0);
  return Uint8Array.from([
    ...uint32(CENTRAL_MAGIC),
    ...uint16(MADE_BY),
    ...uint16(needed(entry)),
    ...uint16(entry.flags),
    ...uint16(entry.method),
    ...uint32(toDosTime(entry.mtimeMs)),
    ...uint32(entry.crc),
    ...uint32(entry.packedSize),
    ...uint32(entry.size),
    ...uint16(name.length),
    ...uint16(extra.length),
    ...uint16(0),
    ...uint16(0),
    ...uint16(entry.isText ? 1 : 0),
    ...uint32(attributes >>> 0),
    ...uint32(entry.offset),
    ...name,
    ...extra,
  ]);
}

/** What ends a zip file. */
export function makeEnd(count: number, size: number, offset: number): Uint8Array {
  return Uint8Array.from([
    ...uint32(0x06054b50),
    ...uint32(0),
    ...uint16(count),
    ...uint16(count),
    ...uint32(size),
    ...uint32(offset),
    ...uint16(0),
  ]);
}
