// Values as bytes, for the calls between a guest process and its kernel. Both sides compile this file.

export type Packed =
  | undefined
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Packed[]
  | { readonly [name: string]: Packed };

/** Text as UTF-8; each side has its own quick way. */
export interface TextCodec {
  /** Writes all of `text` at `at`, for which three bytes a unit are free; the bytes written. */
  write(into: Uint8Array, text: string, at: number): number;
  read(from: Uint8Array, start: number, end: number): string;
}

const tag = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  int: 4,
  double: 5,
  text: 6,
  bytes: 7,
  list: 8,
  record: 9,
  bigint: 10,
} as const;

/** Nesting beyond this is refused. */
const DEPTH_LIMIT = 64;

export class PackError extends Error {}

/** Writes messages into `window`, and on into a larger buffer of its own where that is too small. */
export class Packer {
  readonly #codec: TextCodec;
  readonly #limitBytes: number;
  readonly #window: Uint8Array;
  readonly #windowView: DataView;
  #bytes: Uint8Array;
  #view: DataView;
  #at = 0;

  constructor(window: Uint8Array, codec: TextCodec, limitBytes: number) {
    this.#window = window;
    this.#windowView = viewOf(window);
    this.#bytes = window;
    this.#view = this.#windowView;
    this.#codec = codec;
    this.#limitBytes = limitBytes;
  }

  /** Starts the next message, in the window. */
  begin(): void {
    this.#bytes = this.#window;
    this.#view = this.#windowView;
    this.#at = 0;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#at;
  }

  get isInWindow(): boolean {
    return this.#bytes === this.#window;
  }

  /** What was written so far; the window itself where it sufficed. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  write(value: Packed, depth = 0): void {
    this.#room(16);
    if (typeof value === "string") return this.#text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value === "bigint") return this.#bigint(value);
    if (value === undefined) return this.#tag(tag.undefined);
    if (value === null) return this.#tag(tag.null);
    if (typeof value === "boolean") return this.#tag(value ? tag.true : tag.false);
    if (depth > DEPTH_LIMIT) throw new PackError("nested too deeply");
    if (value instanceof Uint8Array) return this.#blob(value);
    if (Array.isArray(value)) return this.#list(value, depth);
    return this.#record(value as { readonly [name: string]: Packed }, depth);
  }

  #tag(kind: number): void {
    this.#bytes[this.#at] = kind;
    this.#at += 1;
  }

  #length(count: number): void {
    this.#view.setUint32(this.#at, count, true);
    this.#at += 4;
  }

  #number(value: number): void {
    if ((value | 0) === value && !Object.is(value, -0)) {
      this.#tag(tag.int);
      this.#view.setInt32(this.#at, value, true);
      this.#at += 4;
      return;
    }
    this.#tag(tag.double);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #bigint(value: bigint): void {
    this.#tag(tag.bigint);
    this.#view.setBigInt64(this.#at, value, true);
    this.#at += 8;
  }

  #text(text: string): void {
    this.#room(text.length * 3 + 5);
    this.#tag(tag.text);
    const start = this.#at + 4;
    const end = asciiEnd(this.#bytes, text, start);
    const length = end < 0 ? this.#codec.write(this.#bytes, text, start) : end - start;
    this.#length(length);
    this.#at = start + length;
  }

  #blob(value: Uint8Array): void {
    this.#room(value.length + 5);
    this.#tag(tag.bytes);
    this.#length(value.length);
    this.#bytes.set(value, this.#at);
    this.#at += value.length;
  }

  #list(values: readonly Packed[], depth: number): void {
    this.#tag(tag.list);
    this.#length(values.length);
    for (const value of values) this.write(value, depth + 1);
  }

  #record(values: { readonly [name: string]: Packed }, depth: number): void {
    const names = Object.keys(values);
    this.#tag(tag.record);
    this.#length(names.length);
    for (const name of names) {
      this.#text(name);
      this.write(values[name], depth + 1);
    }
  }

  #room(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#bytes.length) return;
    if (needed > this.#limitBytes) throw new PackError("too large");
    const larger = new Uint8Array(
      Math.min(this.#limitBytes, Math.max(needed, this.#bytes.length * 2)),
    );
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

/** Reads what a Packer wrote, from bytes that may be anything. */
export class Unpacker {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #codec: TextCodec;
  readonly #copiesBytes: boolean;
  #end: number;
  #at = 0;

  /** Bytes in what it returns are views of the input, or copies. */
  constructor(bytes: Uint8Array, codec: TextCodec, { copiesBytes = false } = {}) {
    this.#copiesBytes = copiesBytes;
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#end = bytes.length;
    this.#codec = codec;
  }

  /** Starts with the next message, the first `length` bytes of the same input. */
  begin(length: number): void {
    this.#end = Math.min(length, this.#bytes.length);
    this.#at = 0;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  read(depth = 0): Packed {
    if (depth > DEPTH_LIMIT) throw new PackError("nested too deeply");
    const kind = this.#bytes[this.#take(1)];
    if (kind === tag.int) return this.#view.getInt32(this.#take(4), true);
    if (kind === tag.text) return this.#text();
    if (kind === tag.double) return this.#view.getFloat64(this.#take(8), true);
    if (kind === tag.bytes) return this.#blob();
    if (kind === tag.list) return this.#list(depth);
    if (kind === tag.record) return this.#record(depth);
    if (kind === tag.bigint) return this.#view.getBigInt64(this.#take(8), true);
    if (kind === tag.undefined) return undefined;
    if (kind === tag.null) return null;
    if (kind === tag.true) return true;
    if (kind === tag.false) return false;
    throw new PackError("no such tag");
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (bytes > this.#end - at) throw new PackError("cut off");
    this.#at = at + bytes;
    return at;
  }

  #length(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  #text(): string {
    const length = this.#length();
    const start = this.#take(length);
    return (
      asciiText(this.#bytes, start, length) ?? this.#codec.read(this.#bytes, start, start + length)
    );
  }

  #blob(): Uint8Array {
    const length = this.#length();
    const start = this.#take(length);
    const end = start + length;
    return this.#copiesBytes ? this.#bytes.slice(start, end) : this.#bytes.subarray(start, end);
  }

  #list(depth: number): readonly Packed[] {
    const count = this.#length();
    if (count > this.#end - this.#at) throw new PackError("cut off");
    const values: Packed[] = [];
    for (let index = 0; index < count; index += 1) values.push(this.read(depth + 1));
    return values;
  }

  #record(depth: number): { readonly [name: string]: Packed } {
    const count = this.#length();
    if (count > this.#end - this.#at) throw new PackError("cut off");
    const values: { [name: string]: Packed } = Object.create(null);
    for (let index = 0; index < count; index += 1) {
      if (this.#bytes[this.#take(1)] !== tag.text) throw new PackError("a name must be text");
      const name = this.#text();
      values[name] = this.read(depth + 1);
    }
    return values;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Texts up to this are written and read here: most are paths and names. */
const SHORT = 96;

/** Where the text ends when it is short and ASCII, written; else -1. */
function asciiEnd(into: Uint8Array, text: string, at: number): number {
  if (text.length > SHORT) return -1;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return -1;
    into[at + index] = unit;
  }
  return at + text.length;
}

function asciiText(from: Uint8Array, start: number, length: number): string | undefined {
  if (length > SHORT) return undefined;
  let text = "";
  for (let index = start; index < start + length; index += 1) {
    const byte = from[index] ?? 0;
    if (byte > 0x7f) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
