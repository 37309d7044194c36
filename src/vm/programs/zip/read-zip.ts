/** A zip file that can be read at any place. */
import { O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { ByteReader } from "../archive/byte-reader.ts";
import { FormatError, inflate, readUint32 } from "../archive/gzip-format.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import {
  DEFLATED,
  LOCAL_BYTES,
  LOCAL_MAGIC,
  parseCentral,
  readUint16,
  STORED,
  type ZipEntry,
} from "./zip-entry.ts";

const END_MAGIC = 0x06054b50;
const END_BYTES = 22;
const END64_MAGIC = 0x06064b50;
/** The end record and the longest comment. */
const TAIL_BYTES = END_BYTES + 65_535;
const CHUNK_BYTES = 65_536;

/** There is no central directory. */
export class NotZipError extends Error {}

export class ZipFile {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly size: number;
  /** Bytes before the archive: a program that extracts itself has some. */
  readonly extraBytes: number;
  readonly entries: readonly ZipEntry[];

  private constructor(sys: Sys, fd: number, found: Found) {
    this.#sys = sys;
    this.#fd = fd;
    this.size = found.size;
    this.extraBytes = found.extraBytes;
    this.entries = found.entries;
  }

  /** Fails as open(2) does, or with a NotZipError. Whoever opens it closes it. */
  static async open(sys: Sys, path: string): Promise<ZipFile> {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    try {
      return new ZipFile(sys, fd, await readDirectory(sys, fd));
    } catch (error) {
      await sys.close(fd);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#sys.close(this.#fd);
  }

  /** An entry's data as it was. Fails with a FormatError. */
  async *data(entry: ZipEntry): AsyncGenerator<Uint8Array, void, void> {
    const start = await this.#dataStart(entry);
    const packed = this.#range(start, entry.packedSize);
    if (entry.method === STORED) yield* packed;
    else if (entry.method === DEFLATED) yield* inflate(new ByteReader(withEnd(packed)));
    else throw new FormatError(`unsupported compression method ${entry.method}`);
  }

  /** The entry's bytes as they stand, header and all. */
  async *raw(entry: ZipEntry): AsyncGenerator<Uint8Array, void, void> {
    yield* this.#range(await this.#dataStart(entry), entry.packedSize);
  }

  async #dataStart(entry: ZipEntry): Promise<number> {
    const at = entry.offset + this.extraBytes;
    const head = new Uint8Array(LOCAL_BYTES);
    const count = await this.#sys.pread(this.#fd, head, at);
    if (count < LOCAL_BYTES || readUint32(head, 0) !== LOCAL_MAGIC)
      throw new FormatError("bad zipfile offset (local header sig)");
    return at + LOCAL_BYTES + readUint16(head, 26) + readUint16(head, 28);
  }

  async *#range(start: number, length: number): AsyncGenerator<Uint8Array, void, void> {
    for (let done = 0; done < length; ) {
      const buffer = new Uint8Array(Math.min(CHUNK_BYTES, length - done));
      const count = await this.#sys.pread(this.#fd, buffer, start + done);
      if (count === 0) throw new FormatError("unexpected end of file");
      done += count;
      yield buffer.subarray(0, count);
    }
  }
}

/** Inflating sees a stream's end by what follows it. */
async function* withEnd(
  stream: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array, void, void> {
  yield* stream;
  yield new Uint8Array(1);
}

interface Found {
  readonly size: number;
  readonly extraBytes: number;
  readonly entries: readonly ZipEntry[];
}

async function readDirectory(sys: Sys, fd: number): Promise<Found> {
  const { size } = await sys.fstat(fd);
  const tail = await readAt(sys, fd, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
  const at = findEnd(tail);
  if (at === undefined) throw new NotZipError();
  const endPlace = size - tail.length + at;
  let count = readUint16(tail, at + 10);
  let length = readUint32(tail, at + 12);
  let offset = readUint32(tail, at + 16);
  let place = endPlace - length;
  if (count === 0xffff || offset === 0xffffffff) {
    const end64 = await findEnd64(sys, fd, endPlace);
    if (end64 !== undefined) {
      ({ count, length, offset } = end64);
      place = end64.place - length;
    }
  }
  const extraBytes = place - offset;
  if (place < 0 || extraBytes < 0) throw new NotZipError();
  if (length > MEMORY_LIMIT / 4) throw new MemoryLimitError();
  const bytes = await readAt(sys, fd, place, length);
  const entries: ZipEntry[] = [];
  for (let next = 0; entries.length < count; ) {
    const parsed = parseCentral(bytes, next);
    if (parsed === undefined) break;
    entries.push(parsed.entry);
    next = parsed.next;
  }
  return { size, extraBytes, entries };
}

function findEnd(tail: Uint8Array): number | undefined {
  for (let at = tail.length - END_BYTES; at >= 0; at--)
    if (tail[at] === 0x50 && readUint32(tail, at) === END_MAGIC) return at;
  return undefined;
}

async function findEnd64(
  sys: Sys,
  fd: number,
  endPlace: number,
): Promise<
  | {
      readonly count: number;
      readonly length: number;
      readonly offset: number;
      readonly place: number;
    }
  | undefined
> {
  const place = endPlace - 20 - 56;
  if (place < 0) return undefined;
  const bytes = await readAt(sys, fd, place, 56);
  if (readUint32(bytes, 0) !== END64_MAGIC) return undefined;
  return {
    count: readUint32(bytes, 32),
    length: readUint32(bytes, 40) + readUint32(bytes, 44) * 2 ** 32,
    offset: readUint32(bytes, 48) + readUint32(bytes, 52) * 2 ** 32,
    place,
  };
}

async function readAt(sys: Sys, fd: number, place: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = await sys.pread(fd, bytes.subarray(done), place + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}
