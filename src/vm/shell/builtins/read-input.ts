/** What `read` reads: a line, or so many characters, with its backslashes resolved. */
import { decodeText, POLLHUP, POLLIN } from "../../../kernel/index.ts";
import { delimiterOf, LineReader } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { growBytes, requireWordRoom } from "../state/word-limit.ts";

export interface Input {
  readonly text: string;
  /** Places of characters that a backslash quotes. */
  readonly quoted: ReadonlySet<number> | undefined;
  /** What ended it. */
  readonly end: "delimiter" | "count" | "input" | "timeout";
}

export interface InputWish {
  readonly fd: number;
  /** A byte; undefined ends at the count only. */
  readonly delimiter: number | undefined;
  readonly isRaw: boolean;
  readonly most: number | undefined;
  /** By the monotonic clock. */
  readonly untilMs: number | undefined;
}

export async function readInput(shell: Shell, wish: InputWish): Promise<Input> {
  if (wish.most !== undefined || wish.untilMs !== undefined) return readCounted(shell, wish);
  return readLines(new LineReader(shell, wish.fd, true), wish.delimiter ?? 10, wish.isRaw);
}

/** A line, and the next ones while a backslash joins them. */
async function readLines(reader: LineReader, delimiter: number, isRaw: boolean): Promise<Input> {
  const resolver = new BackslashResolver(isRaw);
  for (;;) {
    const line = await reader.next(delimiter);
    if (line === undefined) return resolver.finish("input");
    const { bytes } = line;
    resolver.add(decodeText(bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes));
    if (!line.isWhole) return resolver.finish("input");
    if (!resolver.isQuoting) return resolver.finish("delimiter");
    resolver.add(String.fromCodePoint(delimiter));
  }
}

/** Characters that are put together in one piece. */
const PIECE_COUNT = 4096;

/** Takes the backslashes out and remembers what they quote. */
class BackslashResolver {
  readonly #isRaw: boolean;
  readonly #pieces: string[] = [];
  readonly #open: string[] = [];
  #length = 0;
  #quoted: Set<number> | undefined;
  isQuoting = false;

  constructor(isRaw: boolean) {
    this.#isRaw = isRaw;
  }

  /** Characters so far. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    if (this.#isRaw || (!this.isQuoting && !text.includes("\\"))) {
      this.#push(text);
      return;
    }
    for (const character of text) {
      if (!this.isQuoting && character === "\\") {
        this.isQuoting = true;
        continue;
      }
      const isJoined = this.isQuoting && character === "\n";
      if (this.isQuoting && !isJoined) (this.#quoted ??= new Set()).add(this.#length);
      this.isQuoting = false;
      if (!isJoined) this.#push(character);
    }
  }

  finish(end: Input["end"]): Input {
    return { text: this.#pieces.join("") + this.#open.join(""), quoted: this.#quoted, end };
  }

  #push(text: string): void {
    this.#length += text.length;
    if (this.#open.push(text) < PIECE_COUNT) return;
    this.#pieces.push(this.#open.join(""));
    this.#open.length = 0;
  }
}

/** Character by character, for counts and timeouts. */
async function readCounted(shell: Shell, wish: InputWish): Promise<Input> {
  const resolver = new BackslashResolver(wish.isRaw);
  const most = wish.most ?? Number.POSITIVE_INFINITY;
  let count = 0;
  while (count < most) {
    if (wish.untilMs !== undefined && !(await isReady(shell, wish.fd, wish.untilMs)))
      return resolver.finish("timeout");
    const text = await readCharacter(shell, wish.fd);
    if (text === undefined) return resolver.finish("input");
    const isEnd = wish.delimiter !== undefined && delimiterOf(text) === wish.delimiter;
    if (isEnd && !resolver.isQuoting) return resolver.finish("delimiter");
    if (text === "\0") continue;
    const before = resolver.length;
    resolver.add(text);
    if (resolver.length > before) count += 1;
    requireWordRoom(resolver.length);
  }
  return resolver.finish("count");
}

async function readCharacter(shell: Shell, fd: number): Promise<string | undefined> {
  let bytes = new Uint8Array(1);
  if ((await shell.retry(() => shell.sys.read(fd, bytes))) === 0) return undefined;
  const first = bytes[0] ?? 0;
  const length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let have = 1; have < length; have++) {
    bytes = growBytes(bytes, have + 1).subarray(0, have + 1);
    const into = bytes.subarray(have);
    if ((await shell.retry(() => shell.sys.read(fd, into))) === 0)
      return decodeText(bytes.subarray(0, have));
  }
  return decodeText(bytes);
}

/** Input that never ends is read so long beyond its time. */
const GRACE_MS = 100;

async function isReady(shell: Shell, fd: number, untilMs: number): Promise<boolean> {
  const { monotonicMs } = await shell.sys.clock();
  if (monotonicMs > untilMs + GRACE_MS) return false;
  return waitForInput(shell, fd, Math.max(0, untilMs - monotonicMs) / 1000);
}

export async function waitForInput(shell: Shell, fd: number, seconds: number): Promise<boolean> {
  const [found = 0] = await shell.sys.poll([{ fd, events: POLLIN }], seconds * 1000);
  return (found & (POLLIN | POLLHUP)) !== 0;
}
