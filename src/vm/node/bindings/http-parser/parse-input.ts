// The bytes that are being parsed, in llhttp's memory.
import { native } from "../../native.ts";
import { type Events, type Llhttp, running } from "./llhttp.ts";

/** What most reads bring; room for it is kept. */
const KEPT_BYTES = 65_536;
/** Up to this all of the input becomes one text, of which headers are parts. */
const TEXT_BYTES = 4096;

let kept: { readonly pointer: number; isUsed: boolean } | undefined;

export class Input {
  readonly bytes: Uint8Array;
  readonly #pointer: number;
  #text: string | undefined;

  private constructor(bytes: Uint8Array, pointer: number) {
    this.bytes = bytes;
    this.#pointer = pointer;
  }

  /** Parses: llhttp's errno, and how many bytes it took. */
  static execute(
    { exports, memory }: Llhttp,
    parser: number,
    bytes: Uint8Array,
    listener: Events & { input: Input | undefined },
  ): { readonly errno: number; readonly read: number } {
    kept ??= { pointer: exports["malloc"]?.(KEPT_BYTES) ?? 0, isUsed: false };
    const isKept = !kept.isUsed && bytes.length <= KEPT_BYTES;
    const pointer = isKept ? kept.pointer : (exports["malloc"]?.(bytes.length) ?? 0);
    if (isKept) kept.isUsed = true;
    const outer = listener.input;
    listener.input = new Input(bytes, pointer);
    running.push(listener);
    try {
      memory().set(bytes, pointer);
      const errno = exports["llhttp_execute"]?.(parser, pointer, bytes.length) ?? 0;
      const end = errno === 0 ? 0 : (exports["llhttp_get_error_pos"]?.(parser) ?? pointer);
      return { errno, read: errno === 0 ? bytes.length : end - pointer };
    } finally {
      running.pop();
      listener.input = outer;
      if (isKept) kept.isUsed = false;
      else exports["free"]?.(pointer);
    }
  }

  text(at: number, length: number): string {
    const start = at - this.#pointer;
    if (this.bytes.length > TEXT_BYTES) return latin1(this.bytes, start, start + length);
    this.#text ??= latin1(this.bytes, 0, this.bytes.length);
    return this.#text.slice(start, start + length);
  }

  copy(at: number, length: number): Uint8Array {
    const start = at - this.#pointer;
    return this.bytes.slice(start, start + length);
  }
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return native["buffer"].latin1Slice(bytes, start, end);
}
