// DNS messages, see RFC 1035: a question as bytes, and an answer's records.
import { native } from "../../native.ts";

export const recordTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  TLSA: 52,
  ANY: 255,
  CAA: 257,
} as const;

const HEADER_BYTES = 12;
const LABEL_BYTES = 63;
const NAME_BYTES = 255;
const CLASS_IN = 1;
/** Pointers that a name may have; more would be a loop. */
const POINTERS_MAX = 64;

/** A message that is not one. */
export class BadPacket extends Error {}

/** The bytes of a question; undefined when the name cannot be asked for. */
export function packQuestion(id: number, name: string, type: number): Uint8Array | undefined {
  const bytes = [id >> 8, id & 0xff, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  const labels = name.replace(/\.$/, "").split(".");
  if (name !== "" && name !== ".") {
    for (const label of labels) {
      if (label.length === 0 || label.length > LABEL_BYTES) return undefined;
      bytes.push(label.length, ...[...label].map((letter) => letter.charCodeAt(0) & 0xff));
    }
  }
  if (bytes.length - HEADER_BYTES > NAME_BYTES - 1) return undefined;
  bytes.push(0, type >> 8, type & 0xff, 0, CLASS_IN);
  return Uint8Array.from(bytes);
}

export interface Record {
  readonly type: number;
  readonly ttl: number;
  /** Reads what the record says. */
  readonly data: Reader;
}

export interface Packet {
  /** 0 when the question was answered. */
  readonly code: number;
  readonly answers: readonly Record[];
}

/** Throws BadPacket. */
export function parsePacket(bytes: Uint8Array): Packet {
  const reader = new Reader(bytes, 2, bytes.length);
  const flags = reader.int16();
  const questions = reader.int16();
  const count = reader.int16();
  reader.at = HEADER_BYTES;
  for (let index = 0; index < questions; index += 1) {
    reader.name();
    reader.at += 4;
  }
  const answers: Record[] = [];
  for (let index = 0; index < count; index += 1) {
    reader.name();
    const type = reader.int16();
    reader.int16();
    const ttl = reader.int32();
    const length = reader.int16();
    answers.push({ type, ttl, data: new Reader(bytes, reader.at, reader.at + length) });
    reader.at += length;
  }
  return { code: flags & 0xf, answers };
}

/** Reads a part of a message; names may point at its other parts. */
export class Reader {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    if (end > bytes.length) throw new BadPacket("too short");
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end;
  }

  int8(): number {
    if (this.at >= this.#end) throw new BadPacket("too short");
    const byte = this.#bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }

  int16(): number {
    return (this.int8() << 8) | this.int8();
  }

  int32(): number {
    return ((this.int16() << 16) | this.int16()) >>> 0;
  }

  bytes(count: number): Uint8Array {
    if (this.at + count > this.#end) throw new BadPacket("too short");
    this.at += count;
    return this.#bytes.slice(this.at - count, this.at);
  }

  rest(): Uint8Array {
    return this.bytes(this.#end - this.at);
  }

  /** A text that follows its length. */
  text(): string {
    return latin1(this.bytes(this.int8()));
  }

  /** `pointers` is how many led here. */
  name(pointers = 0): string {
    if (pointers > POINTERS_MAX) throw new BadPacket("a loop");
    const labels: string[] = [];
    for (;;) {
      const length = this.int8();
      if (length === 0) return labels.join(".");
      if (length >= 0xc0) {
        const target = ((length & 0x3f) << 8) | this.int8();
        const rest = new Reader(this.#bytes, target, this.#bytes.length).name(pointers + 1);
        return [...labels, ...(rest === "" ? [] : [rest])].join(".");
      }
      labels.push(latin1(this.bytes(length)));
    }
  }
}

function latin1(bytes: Uint8Array): string {
  return native["buffer"].latin1Slice(bytes, 0, bytes.length);
}
