/** LZMA2 (as in the LZMA SDK's specification): chunks, stored or compressed, over one dictionary. */
import type { ByteReader } from "./byte-reader.ts";
import { FormatError } from "./gzip-format.ts";
import { LzmaDecoder } from "./lzma-decoder.ts";
import { LzmaWindow } from "./lzma-window.ts";

const truncated = (): FormatError => new FormatError("Unexpected end of input");
const corrupt = (): FormatError => new FormatError("Compressed data is corrupt");

export class Lzma2Decoder {
  readonly #window: LzmaWindow;
  readonly #lzma: LzmaDecoder;
  #needsDictionary = true;
  #needsProperties = true;

  /** Fails with a MemoryLimitError where the dictionary is too large. */
  constructor(dictionaryBytes: number) {
    this.#window = new LzmaWindow(dictionaryBytes);
    this.#lzma = new LzmaDecoder(this.#window);
  }

  /** The data, in pieces that the next overwrites. Fails with a FormatError. */
  async *decode(reader: ByteReader): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      const [control = -1] = await reader.take(1);
      if (control === -1) throw truncated();
      if (control === 0) return;
      yield* control >= 0x80 ? this.#compressed(reader, control) : this.#stored(reader, control);
    }
  }

  async *#stored(reader: ByteReader, control: number): AsyncGenerator<Uint8Array, void, void> {
    if (control > 2) throw corrupt();
    if (control === 1) this.#resetDictionary();
    if (this.#needsDictionary) throw corrupt();
    const head = await reader.take(2);
    if (head.length < 2) throw truncated();
    const size = (((head[0] ?? 0) << 8) | (head[1] ?? 0)) + 1;
    const bytes = await reader.take(size);
    if (bytes.length < size) throw truncated();
    for (const byte of bytes) this.#window.put(byte);
    yield* this.#window.flush();
  }

  async *#compressed(reader: ByteReader, control: number): AsyncGenerator<Uint8Array, void, void> {
    const head = (await reader.take(4)).slice();
    if (head.length < 4) throw truncated();
    const size = (((control & 31) << 16) | ((head[0] ?? 0) << 8) | (head[1] ?? 0)) + 1;
    const packed = (((head[2] ?? 0) << 8) | (head[3] ?? 0)) + 1;
    const reset = (control >> 5) & 3;
    if (reset === 3) this.#resetDictionary();
    if (this.#needsDictionary) throw corrupt();
    if (reset >= 2) {
      const [properties = -1] = await reader.take(1);
      if (properties === -1) throw truncated();
      if (!this.#lzma.setProperties(properties)) throw corrupt();
      this.#needsProperties = false;
    } else if (this.#needsProperties) throw corrupt();
    else if (reset === 1) this.#lzma.resetState();
    const bytes = await reader.take(packed);
    if (bytes.length < packed) throw truncated();
    if (!this.#lzma.decode(bytes, size)) throw corrupt();
    yield* this.#window.flush();
  }

  #resetDictionary(): void {
    this.#needsDictionary = false;
    this.#window.forget();
  }
}
