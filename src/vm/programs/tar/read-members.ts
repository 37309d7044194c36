/** The members of an archive, one after the other; long names and pax headers are worked into them. */
import { decodeText } from "../../../kernel/index.ts";
import type { ByteReader } from "../archive/byte-reader.ts";
import { BLOCK_BYTES, type Member, parseHeader, roundUp } from "./tar-header.ts";

/** Names and pax headers longer than this are not taken. */
const HEADER_BYTES = 1024 * 1024;

/** What is wrong with an archive, in GNU's words. */
export class ArchiveError extends Error {
  /** Nothing more can be read. */
  readonly isFatal: boolean;

  constructor(message: string, isFatal = true) {
    super(message);
    this.isFatal = isFatal;
  }
}

/** A member; its data is read by `data`, or skipped when the next is asked for. */
export interface OpenMember {
  readonly member: Member;
  /** Where its header starts. */
  readonly position: number;
}

export class MemberReader {
  readonly #reader: ByteReader;
  readonly #warn: (message: string) => Promise<void>;
  #left = 0;
  #padding = 0;
  #global = new Map<string, string>();
  #isFirst = true;
  /** Where the end's zeros start, once the end is reached. */
  end = 0;

  readonly #ignoresZeros: boolean;

  constructor(reader: ByteReader, warn: (message: string) => Promise<void>, ignoresZeros = false) {
    this.#reader = reader;
    this.#warn = warn;
    this.#ignoresZeros = ignoresZeros;
  }

  /** Undefined at the end. Fails with an ArchiveError. */
  async next(): Promise<OpenMember | undefined> {
    await this.skipData();
    let longName: string | undefined;
    let longLink: string | undefined;
    let extended = new Map<string, string>();
    let position = this.#reader.position;
    for (;;) {
      const member = await this.#header();
      if (member === undefined) return undefined;
      if (member.type === "L") longName = await this.#text(member.size);
      else if (member.type === "K") longLink = await this.#text(member.size);
      else if (member.type === "x") extended = parsePax(await this.#bytes(member.size));
      else if (member.type === "g") {
        for (const [key, value] of parsePax(await this.#bytes(member.size)))
          this.#global.set(key, value);
        position = this.#reader.position;
      } else {
        const named = {
          ...member,
          name: longName ?? member.name,
          linkName: longLink ?? member.linkName,
        };
        const whole = applyPax(applyPax(named, this.#global), extended);
        this.#left = hasData(whole) ? whole.size : 0;
        this.#padding = roundUp(this.#left) - this.#left;
        return { member: whole, position };
      }
    }
  }

  async #header(): Promise<Member | undefined> {
    let isSkipping = false;
    for (;;) {
      this.end = this.#reader.position;
      const block = await this.#reader.take(BLOCK_BYTES);
      if (block.length < BLOCK_BYTES) return this.#endOfInput(block.length, isSkipping);
      const header = parseHeader(block);
      if (header === "empty" && this.#ignoresZeros) continue;
      if (header === "empty") {
        const second = await this.#reader.take(BLOCK_BYTES);
        if (second.some((byte) => byte !== 0))
          await this.#warn(`A lone zero block at ${this.end / BLOCK_BYTES + 1}`);
        return undefined;
      }
      if (header !== undefined) {
        this.#isFirst = false;
        return header;
      }
      if (!isSkipping)
        await this.#warn(
          this.#isFirst
            ? "This does not look like a tar archive\ntar: Skipping to next header"
            : "Skipping to next header",
        );
      isSkipping = true;
    }
  }

  #endOfInput(length: number, isSkipping: boolean): undefined {
    if (isSkipping) throw new ArchiveError("", false);
    if (this.#isFirst && (length > 0 || this.end === 0))
      throw new ArchiveError("This does not look like a tar archive", false);
    return undefined;
  }

  async #text(size: number): Promise<string> {
    const bytes = await this.#bytes(size);
    const end = bytes.indexOf(0);
    return decodeText(end === -1 ? bytes : bytes.subarray(0, end));
  }

  async #bytes(size: number): Promise<Uint8Array> {
    if (size > HEADER_BYTES) throw new ArchiveError("extended header is too long");
    const bytes = (await this.#reader.take(size)).slice();
    const padding = await this.#reader.skip(roundUp(size) - size);
    if (bytes.length < size || padding < roundUp(size) - size) throw unexpectedEnd();
    return bytes;
  }

  /** The data of the member in pieces. Fails with an ArchiveError where it is cut. */
  async *data(): AsyncGenerator<Uint8Array, void, void> {
    while (this.#left > 0) {
      const piece = await this.#reader.some(this.#left);
      if (piece.length === 0) throw unexpectedEnd();
      this.#left -= piece.length;
      yield piece;
    }
    await this.skipData();
  }

  async skipData(): Promise<void> {
    const count = this.#left + this.#padding;
    const isCut = (await this.#reader.skip(count)) < count;
    this.#left = 0;
    this.#padding = 0;
    if (isCut) throw unexpectedEnd();
  }
}

function unexpectedEnd(): ArchiveError {
  return new ArchiveError("Unexpected EOF in archive");
}

function hasData({ type }: Member): boolean {
  return !"123456".includes(type);
}

/** `length key=value\n` records. */
function parsePax(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = space === -1 ? 0 : Number(decodeText(bytes.subarray(at, space)));
    if (!Number.isInteger(length) || length <= space - at) return records;
    const record = decodeText(bytes.subarray(space + 1, at + length - 1));
    const equals = record.indexOf("=");
    if (equals !== -1) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

function applyPax(member: Member, records: ReadonlyMap<string, string>): Member {
  if (records.size === 0) return member;
  const size = records.get("size");
  const mtime = records.get("mtime");
  const uid = records.get("uid");
  const gid = records.get("gid");
  return {
    ...member,
    name: records.get("path") ?? member.name,
    linkName: records.get("linkpath") ?? member.linkName,
    userName: records.get("uname") ?? member.userName,
    groupName: records.get("gname") ?? member.groupName,
    size: toNumber(size) ?? member.size,
    uid: toNumber(uid) ?? member.uid,
    gid: toNumber(gid) ?? member.gid,
    mtimeMs: mtime === undefined ? member.mtimeMs : Number(mtime) * 1000 || 0,
    type: records.has("GNU.sparse.major") || records.has("GNU.sparse.size") ? "S" : member.type,
  };
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
