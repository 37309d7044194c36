/** gzip's file format, RFC 1952. */
import { decodeText, encodeText } from "../../../kernel/index.ts";
import { ByteReader, type ByteStream } from "./byte-reader.ts";
import { CorruptDataError, crc32, ZlibEngine } from "./zlib-engine.ts";

const MAGIC = [0x1f, 0x8b] as const;
const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
/** A name longer than this is not one. */
const NAME_BYTES = 65_536;

/** Compressed data in gzip's words: what stands behind the file's name. */
export class FormatError extends Error {
  /** 2 for what is only a warning. */
  readonly status: number;
  /** What more is wrong. */
  readonly also: string | undefined;

  constructor(message: string, status = 1, also?: string) {
    super(message);
    this.status = status;
    this.also = also;
  }
}

export interface GzipHeader {
  readonly name: string | undefined;
  readonly timeMs: number;
}

export interface GunzipWatch {
  readonly header?: (header: GzipHeader) => void;
  /** Told what is wrong without being an error: trailing garbage. */
  readonly warn?: (message: string) => Promise<void>;
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === MAGIC[0] && bytes[1] === MAGIC[1];
}

/** All members, one after the other. Fails with a FormatError. */
export async function* gunzip(
  stream: ByteStream,
  watch: GunzipWatch = {},
): AsyncGenerator<Uint8Array, void, void> {
  const reader = new ByteReader(stream);
  for (let isFirst = true; ; isFirst = false) {
    const start = await reader.peek(2);
    if (start.length === 0 && !isFirst) return;
    if (!isGzip(start)) {
      if (isFirst && start.length < 2) throw new FormatError("unexpected end of file");
      if (isFirst) throw new FormatError("not in gzip format");
      await sayGarbage(reader, watch);
      return;
    }
    const header = await readHeader(reader);
    if (isFirst) watch.header?.(header);
    yield* inflateMember(reader);
  }
}

async function sayGarbage(reader: ByteReader, watch: GunzipWatch): Promise<void> {
  let isZero = true;
  for await (const piece of reader.rest()) if (piece.some((byte) => byte !== 0)) isZero = false;
  if (!isZero) await watch.warn?.("decompression OK, trailing garbage ignored");
}

async function readHeader(reader: ByteReader): Promise<GzipHeader> {
  const fixed = await need(reader, 10);
  const [, , method = 0, flags = 0] = fixed;
  if (method !== 8) throw new FormatError(`unknown method ${method} -- not supported`);
  if ((flags & 0xe0) !== 0)
    throw new FormatError(`has flags 0x${flags.toString(16)} -- not supported`);
  const seconds = readUint32(fixed, 4);
  if ((flags & HAS_EXTRA) !== 0) {
    const [low = 0, high = 0] = await need(reader, 2);
    await need(reader, low | (high << 8));
  }
  const name = (flags & HAS_NAME) === 0 ? undefined : await readText(reader);
  if ((flags & HAS_COMMENT) !== 0) await readText(reader);
  if ((flags & HAS_CRC) !== 0) await need(reader, 2);
  return { name, timeMs: seconds * 1000 };
}

async function need(reader: ByteReader, count: number): Promise<Uint8Array> {
  const bytes = await reader.take(count);
  if (bytes.length < count) throw new FormatError("unexpected end of file");
  return bytes;
}

async function readText(reader: ByteReader): Promise<string> {
  const bytes: number[] = [];
  for (;;) {
    const [byte = 0] = await need(reader, 1);
    if (byte === 0) return decodeText(Uint8Array.from(bytes));
    bytes.push(byte);
    if (bytes.length > NAME_BYTES)
      throw new FormatError("invalid compressed data--format violated");
  }
}

async function* inflateMember(reader: ByteReader): AsyncGenerator<Uint8Array, void, void> {
  let crc = 0;
  let length = 0;
  for await (const piece of inflate(reader)) {
    crc = crc32(piece, crc);
    length += piece.length;
    yield piece;
  }
  const trailer = await need(reader, 8);
  const isCrcBad = readUint32(trailer, 0) !== crc;
  const isLengthBad = readUint32(trailer, 4) !== length % 2 ** 32;
  const lengthError = "invalid compressed data--length error";
  if (isCrcBad)
    throw new FormatError(
      "invalid compressed data--crc error",
      1,
      isLengthBad ? lengthError : undefined,
    );
  if (isLengthBad) throw new FormatError(lengthError);
}

/** One deflate stream; what follows it stays in the reader. Fails with a FormatError. */
export async function* inflate(reader: ByteReader): AsyncGenerator<Uint8Array, void, void> {
  const engine = ZlibEngine.inflate();
  try {
    while (!engine.isEnded) {
      const piece = (await reader.some(65_536)).slice();
      if (piece.length === 0) throw new FormatError("unexpected end of file");
      yield* engine.push(piece);
      if (engine.isEnded) reader.unread(piece.subarray(piece.length - engine.unused));
    }
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw new FormatError("invalid compressed data--format violated");
  } finally {
    engine.close();
  }
}

export function readUint32(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] ?? 0) |
      ((bytes[at + 1] ?? 0) << 8) |
      ((bytes[at + 2] ?? 0) << 16) |
      ((bytes[at + 3] ?? 0) << 24)) >>>
    0
  );
}

export function uint32(value: number): number[] {
  return [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, (value >>> 24) & 255];
}

export interface GzipOptions extends Partial<GzipHeader> {
  readonly level: number;
}

/** One member that holds the stream. */
export async function* gzip(
  stream: ByteStream,
  { level, name, timeMs = 0 }: GzipOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const flags = name === undefined ? 0 : HAS_NAME;
  const extra = level === 9 ? 2 : level === 1 ? 4 : 0;
  const seconds = Math.max(0, Math.floor(timeMs / 1000));
  const text = name === undefined ? [] : [...encodeText(name), 0];
  yield Uint8Array.from([...MAGIC, 8, flags, ...uint32(seconds), extra, 3, ...text]);
  const engine = ZlibEngine.deflate(level);
  try {
    let crc = 0;
    let length = 0;
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
      crc = crc32(next.value, crc);
      length += next.value.length;
      yield* engine.push(next.value);
    }
    yield* engine.finish();
    yield Uint8Array.from([...uint32(crc), ...uint32(length % 2 ** 32)]);
  } finally {
    engine.close();
  }
}
