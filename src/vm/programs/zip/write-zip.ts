/** A zip file being written: entries one after the other, then the directory of them. */
import { SEEK_SET, type Sys } from "../../../kernel/index.ts";
import type { ByteStream } from "../archive/byte-reader.ts";
import { crc32, ZlibEngine } from "../archive/zlib-engine.ts";
import { writeAll } from "../output.ts";
import type { ZipFile } from "./read-zip.ts";
import {
  DEFLATED,
  makeCentral,
  makeDescriptor,
  makeEnd,
  makeLocal,
  STORED,
  type ZipEntry,
} from "./zip-entry.ts";

export type NewEntry = Pick<ZipEntry, "name" | "mtimeMs" | "kind" | "mode" | "hasExtra">;

export interface Source {
  readonly entry: NewEntry;
  /** Opens the data; called again where it is stored after all. */
  readonly open: () => ByteStream;
  readonly level: number;
}

/** Bytes looked at to tell text from data. */
const TEXT_BYTES = 65_536;

export class ZipWriter {
  readonly #sys: Sys;
  readonly #fd: number;
  /** fd 1 cannot be sought: sizes follow the data. */
  readonly #isStream: boolean;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  constructor(sys: Sys, fd: number, isStream: boolean) {
    this.#sys = sys;
    this.#fd = fd;
    this.#isStream = isStream;
  }

  get entries(): readonly ZipEntry[] {
    return this.#entries;
  }

  /** Adds an entry, deflated where that makes it smaller. */
  async add(source: Source): Promise<ZipEntry> {
    const method = source.level === 0 || source.entry.kind !== "file" ? STORED : DEFLATED;
    const entry = await this.#write(source, method);
    const isLarger = method === DEFLATED && entry.packedSize >= entry.size && !this.#isStream;
    if (!isLarger) return this.#keep(entry);
    this.#offset = entry.offset;
    await this.#sys.seek(this.#fd, this.#offset, SEEK_SET);
    return this.#keep(await this.#write(source, STORED));
  }

  #keep(entry: ZipEntry): ZipEntry {
    this.#entries.push(entry);
    return entry;
  }

  /** Copies an entry of another file as it is. */
  async copy(zip: ZipFile, entry: ZipEntry): Promise<void> {
    const copied = { ...entry, flags: entry.flags & ~8, offset: this.#offset };
    await this.#put(makeLocal(copied));
    for await (const piece of zip.raw(entry)) await this.#put(piece);
    this.#keep(copied);
  }

  async finish(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#put(makeCentral(entry));
    await this.#put(makeEnd(this.#entries.length, this.#offset - start, start));
    if (!this.#isStream) await this.#sys.ftruncate(this.#fd, this.#offset);
  }

  async #write({ entry, open, level }: Source, method: number): Promise<ZipEntry> {
    const offset = this.#offset;
    const blank: ZipEntry = {
      ...entry,
      madeBy: 0x031e,
      flags: this.#isStream ? 8 : 0,
      method,
      crc: 0,
      packedSize: 0,
      size: 0,
      offset,
      isText: false,
    };
    const header = makeLocal(blank);
    await this.#put(header);
    const start = this.#offset;
    const counted = { crc: 0, size: 0, isText: true };
    const stream = count(open(), counted);
    const pieces = method === DEFLATED ? deflate(stream, level) : stream;
    for await (const piece of pieces) await this.#put(piece);
    const { crc, size } = counted;
    const isText = counted.isText && size > 0;
    const whole = { ...blank, crc, size, isText, packedSize: this.#offset - start };
    if (this.#isStream) await this.#put(makeDescriptor(whole));
    else await this.#sys.pwrite(this.#fd, makeLocal(whole), offset);
    return whole;
  }

  async #put(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#sys, this.#fd, bytes);
    this.#offset += bytes.length;
  }
}

async function* count(
  stream: ByteStream,
  counted: { crc: number; size: number; isText: boolean },
): AsyncGenerator<Uint8Array, void, void> {
  for (let next = await stream.next(); next.done !== true; next = await stream.next()) {
    counted.crc = crc32(next.value, counted.crc);
    if (counted.size < TEXT_BYTES && !next.value.every(isTextByte)) counted.isText = false;
    counted.size += next.value.length;
    yield next.value;
  }
}

/** Info-ZIP's list of bytes that texts are made of. */
function isTextByte(byte: number): boolean {
  return byte >= 32 || (byte >= 7 && byte <= 13) || byte === 26 || byte === 27;
}

async function* deflate(
  stream: AsyncGenerator<Uint8Array, void, void>,
  level: number,
): AsyncGenerator<Uint8Array, void, void> {
  const engine = ZlibEngine.deflate(level);
  try {
    for await (const piece of stream) yield* engine.push(piece);
    yield* engine.finish();
  } finally {
    engine.close();
  }
}
