import type { ByteSource } from "./byte-source.ts";
import { BLOCK_BYTES, decodeBlock, notTar, type RawHeader, type TarType } from "./tar-header.ts";

export interface TarMember {
  readonly type: TarType;
  readonly name: Uint8Array;
  readonly mode: number;
  readonly size: number;
  readonly target: Uint8Array;
  /** Taken wholly before the next member; what nobody takes is left behind. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** A longer name or extended header is none of ours. */
const EXTRA_BYTES = 64 * 1024;
const TYPES: ReadonlyMap<string, TarType> = new Map([
  ["0", "file"],
  ["\0", "file"],
  ["7", "file"],
  ["1", "hardlink"],
  ["2", "symlink"],
  ["5", "directory"],
]);

interface Extras {
  name?: Uint8Array;
  target?: Uint8Array;
  size?: number;
}

/**
 * The members of archives, one after the other; several archives in a row are taken for one. Members of kinds
 * that are not carried are left out. SandboxError "failed" for what is no archive.
 */
export async function* readTar(source: ByteSource): AsyncGenerator<TarMember> {
  let extras: Extras = {};
  for (;;) {
    const bytes = await source.read(BLOCK_BYTES);
    if (bytes.length === 0) return;
    if (bytes.length < BLOCK_BYTES) throw notTar();
    const raw = decodeBlock(bytes);
    if (raw === undefined) continue;
    if ("LKxg".includes(raw.flag)) {
      extras = withExtra(extras, raw.flag, await readExtra(source, raw));
      continue;
    }
    const { name = raw.name, target = raw.target } = extras;
    const type = TYPES.get(raw.flag);
    const size = type === "file" || type === undefined ? (extras.size ?? raw.size) : 0;
    extras = {};
    const rest = { left: size };
    const content = contentOf(source, rest);
    if (type !== undefined) yield { type, name, mode: raw.mode & 0o7777, size, target, content };
    for await (const _ of contentOf(source, rest));
    await source.skip((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
  }
}

async function* contentOf(source: ByteSource, rest: { left: number }): AsyncGenerator<Uint8Array> {
  while (rest.left > 0) {
    const bytes = await source.some(rest.left);
    if (bytes.length === 0) throw notTar();
    rest.left -= bytes.length;
    yield bytes;
  }
}

async function readExtra(source: ByteSource, { size }: RawHeader): Promise<Uint8Array> {
  if (size > EXTRA_BYTES) throw notTar();
  const bytes = await source.read(size);
  if (bytes.length < size) throw notTar();
  await source.skip((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
  return bytes;
}

function withExtra(extras: Extras, flag: string, bytes: Uint8Array): Extras {
  if (flag === "g") return extras;
  if (flag === "x") return { ...extras, ...paxOf(bytes) };
  const end = bytes.indexOf(0);
  const text = bytes.slice(0, end === -1 ? bytes.length : end);
  return flag === "L" ? { ...extras, name: text } : { ...extras, target: text };
}

/** Records of `<length> <key>=<value>\n`, see pax(1). */
function paxOf(bytes: Uint8Array): Extras {
  const extras: Extras = {};
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(Buffer.from(bytes.subarray(at, space)).toString("latin1"));
    if (space === -1 || !Number.isInteger(length) || length <= space - at) throw notTar();
    const record = bytes.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    if (equals === -1) throw notTar();
    const key = Buffer.from(record.subarray(0, equals)).toString("latin1");
    const value = record.slice(equals + 1);
    if (key === "path") extras.name = value;
    if (key === "linkpath") extras.target = value;
    if (key === "size") extras.size = sizeIn(value);
    at += length;
  }
  return extras;
}

function sizeIn(value: Uint8Array): number {
  const size = Number(Buffer.from(value).toString("latin1"));
  if (!Number.isSafeInteger(size) || size < 0) throw notTar();
  return size;
}
