/**
 * Directories with all that is in them, as they go to a cell: numbers side by side, then the texts. JSON would take
 * longer to write and to read than the disk takes to look at the files.
 *
 *     rows, as one number │ a row for each directory, one for each of its names behind it │ names and targets, in order
 */
import type { FileKind, Stat } from "../../kernel/index.ts";
import { readText, writeText } from "./short-text.ts";

/** A file in a directory. */
export interface SurveyedName {
  readonly name: string;
  /** What the server calls it. Undefined where the VM's policy lets nobody know more than kind and number. */
  readonly node: number | undefined;
  readonly stat: Stat;
  /** Where a link leads; left out where that is long. */
  readonly target: string | undefined;
}

/** A page of a directory. */
export interface SurveyedNode {
  readonly node: number;
  readonly stat: Stat;
  /** Where it goes on. */
  readonly cursor: number | undefined;
  readonly isFollowed: boolean;
  readonly names: readonly SurveyedName[];
}

const kinds = [
  "file",
  "directory",
  "symlink",
  "fifo",
  "device",
  "socket",
  "anonymous",
] as const satisfies readonly FileKind[];
/** Of a directory: its number, cursor, names and whether it is followed. Of a name: its number, the bytes of both texts. */
const OWN_COLUMNS = 3;
const COLUMNS = OWN_COLUMNS + 11;
const ROW_BYTES = COLUMNS * Float64Array.BYTES_PER_ELEMENT;
const HEAD_BYTES = Float64Array.BYTES_PER_ELEMENT;
const MODES = 0o10000;
/** What a character takes at most. */
const CHARACTER_BYTES = 3;
const NONE = -1;

/** The most that a directory takes. */
export function surveyBytes({ names }: SurveyedNode): number {
  let characters = 0;
  for (const { name, target } of names) characters += name.length + (target?.length ?? 0);
  return (names.length + 1) * ROW_BYTES + characters * CHARACTER_BYTES;
}

/**
 * The same number. V8 has memory for each number with a fraction that an object refers to, and takes what is read from
 * a Float64Array for one, unless it is told that it is small and whole.
 */
export function compact(number: number): number {
  const whole = number | 0;
  return whole === number ? whole : number;
}

/** Memory that is written to again and again: nothing waits between two uses of it. */
let rows = new Float64Array(0);
let texts = Buffer.alloc(0);

export function encodeSurvey(directories: readonly SurveyedNode[]): Uint8Array {
  const count = directories.reduce((sum, { names }) => sum + 1 + names.length, 0);
  const most = directories.reduce((sum, directory) => sum + surveyBytes(directory), 0);
  if (rows.length < count * COLUMNS) rows = new Float64Array(count * COLUMNS);
  if (texts.length < most) texts = Buffer.alloc(most);
  let row = 0;
  let end = 0;
  for (const { node, stat, cursor = NONE, isFollowed, names } of directories) {
    writeOwn(row, node, cursor, 2 * names.length + (isFollowed ? 1 : 0));
    writeStat(row++, stat);
    for (const of of names) {
      const start = end;
      const middle = writeText(texts, start, of.name);
      end = of.target === undefined ? middle : writeText(texts, middle, of.target);
      const targetBytes = of.target === undefined ? NONE : end - middle;
      writeOwn(row, of.node ?? NONE, middle - start, targetBytes);
      writeStat(row++, of.stat);
    }
  }
  const numbers = new Uint8Array(rows.buffer, 0, count * ROW_BYTES);
  const body = new Uint8Array(HEAD_BYTES + numbers.length + end);
  new Float64Array(body.buffer, 0, 1)[0] = count;
  body.set(numbers, HEAD_BYTES);
  body.set(texts.subarray(0, end), HEAD_BYTES + numbers.length);
  return body;
}

function writeOwn(row: number, first: number, second: number, third: number): void {
  const at = row * COLUMNS;
  rows[at] = first;
  rows[at + 1] = second;
  rows[at + 2] = third;
}

function writeStat(row: number, stat: Stat): void {
  const at = row * COLUMNS;
  rows[at + 3] = kinds.indexOf(stat.kind) * MODES + stat.mode;
  rows[at + 4] = stat.uid;
  rows[at + 5] = stat.gid;
  rows[at + 6] = stat.size;
  rows[at + 7] = stat.nlink;
  rows[at + 8] = stat.ino;
  rows[at + 9] = stat.rdev;
  rows[at + 10] = stat.blocks;
  rows[at + 11] = stat.atimeMs;
  rows[at + 12] = stat.mtimeMs;
  rows[at + 13] = stat.ctimeMs;
}

/** What the server sent is trusted. */
export function decodeSurvey(body: Uint8Array): SurveyedNode[] {
  const reader = new SurveyReader(body.byteOffset % HEAD_BYTES === 0 ? body : body.slice());
  const directories: SurveyedNode[] = [];
  while (!reader.isAtEnd) directories.push(reader.readDirectory());
  return directories;
}

class SurveyReader {
  readonly #numbers: Float64Array;
  readonly #texts: Buffer;
  /** Where the next row and the next text begin. */
  #at = 0;
  #text = 0;

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    const [count = 0] = new Float64Array(buffer, byteOffset, 1);
    this.#numbers = new Float64Array(buffer, byteOffset + HEAD_BYTES, count * COLUMNS);
    const textsAt = HEAD_BYTES + this.#numbers.byteLength;
    this.#texts = Buffer.from(buffer, byteOffset + textsAt, length - textsAt);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#numbers.length;
  }

  readDirectory(): SurveyedNode {
    const node = this.#number(0);
    const cursor = this.#number(1);
    const third = this.#number(2);
    const stat = this.#readStat();
    const names: SurveyedName[] = [];
    for (let left = Math.floor(third / 2); left > 0; left--) names.push(this.#readName());
    const isFollowed = third % 2 === 1;
    return { node, stat, cursor: cursor === NONE ? undefined : cursor, isFollowed, names };
  }

  #readName(): SurveyedName {
    const node = this.#number(0);
    const name = this.#readText(this.#number(1));
    const targetBytes = this.#number(2);
    const target = targetBytes === NONE ? undefined : this.#readText(targetBytes);
    return { name, node: node === NONE ? undefined : node, stat: this.#readStat(), target };
  }

  #readText(bytes: number): string {
    this.#text += bytes;
    return readText(this.#texts, this.#text - bytes, this.#text);
  }

  #number(column: number): number {
    return compact(this.#numbers[this.#at + column] ?? 0);
  }

  /** The rest of a row; the next one comes. */
  #readStat(): Stat {
    const kindAndMode = this.#number(3);
    const stat = {
      kind: kinds[Math.floor(kindAndMode / MODES)] ?? "file",
      mode: kindAndMode % MODES,
      uid: this.#number(4),
      gid: this.#number(5),
      size: this.#number(6),
      nlink: this.#number(7),
      ino: this.#number(8),
      dev: 0,
      rdev: this.#number(9),
      blocks: this.#number(10),
      atimeMs: this.#number(11),
      mtimeMs: this.#number(12),
      ctimeMs: this.#number(13),
    };
    this.#at += COLUMNS;
    return stat;
  }
}
