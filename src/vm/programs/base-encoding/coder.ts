import { isKernelError } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { errorWords, type Run } from "../program.ts";
import type { Encoding } from "./encodings.ts";

const CHUNK_BYTES = 61_440;

/** Calls back with what a fd gives. Fails with a UsageError in GNU's words. */
async function readBlocks(run: Run, fd: number, step: (block: Uint8Array) => void): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    let count: number;
    try {
      count = await run.sys.read(fd, buffer);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`read error: ${errorWords(error)}`, { hasHint: false });
    }
    if (count === 0) return;
    step(buffer.subarray(0, count));
    if (run.out.isFull) await run.out.flush();
  }
}

/** Writes all of a fd encoded, in lines of `width` letters; 0 is one line without an end. */
export async function encodeInput(
  run: Run,
  fd: number,
  encoding: Encoding,
  width: number,
): Promise<void> {
  const lines = new Wrapping(run, width);
  const letters = new Uint8Array(encoding.letters);
  const rest = new Uint8Array(encoding.bytes);
  let held = 0;
  await readBlocks(run, fd, (block) => {
    let at = 0;
    while (held > 0 && held < encoding.bytes && at < block.length) rest[held++] = block[at++] ?? 0;
    if (held === encoding.bytes) {
      lines.add(letters, encoding.encode(rest, 0, held, letters));
      held = 0;
    }
    for (; at + encoding.bytes <= block.length; at += encoding.bytes)
      lines.add(letters, encoding.encode(block, at, at + encoding.bytes, letters));
    while (at < block.length) rest[held++] = block[at++] ?? 0;
  });
  if (held > 0 && encoding.shortProblem !== undefined)
    throw new UsageError(encoding.shortProblem, { hasHint: false });
  if (held > 0) lines.add(letters, encoding.encode(rest, 0, held, letters));
  lines.end();
}

class Wrapping {
  readonly #run: Run;
  readonly #width: number;
  #column = 0;

  constructor(run: Run, width: number) {
    this.#run = run;
    this.#width = width;
  }

  add(letters: Uint8Array, count: number): void {
    const { out } = this.#run;
    for (let at = 0; at < count; at++) {
      if (this.#width > 0 && this.#column === this.#width) {
        out.addByte(10);
        this.#column = 0;
      }
      out.addByte(letters[at] ?? 0);
      this.#column += 1;
    }
  }

  end(): void {
    if (this.#width > 0 && this.#column > 0) this.#run.out.addByte(10);
  }
}

/** Writes all of a fd decoded. Fails with a UsageError where it is no encoding. */
export async function decodeInput(
  run: Run,
  fd: number,
  encoding: Encoding,
  ignoresGarbage: boolean,
): Promise<void> {
  const group = new Uint8Array(encoding.letters);
  let held = 0;
  const take = (length: number): void => {
    const bytes: number[] = [];
    const isGood = encoding.decode(group, length, bytes);
    for (const byte of bytes) run.out.addByte(byte);
    if (!isGood) throw new UsageError("invalid input", { hasHint: false });
  };
  await readBlocks(run, fd, (block) => {
    for (const letter of block) {
      if (letter === 10) continue;
      const isLetter =
        (encoding.values[letter] ?? -1) !== -1 || (encoding.isPadded && letter === 61);
      if (ignoresGarbage && !isLetter) continue;
      group[held++] = letter;
      if (held < encoding.letters) continue;
      held = 0;
      take(encoding.letters);
    }
  });
  if (held > 0) take(held);
}
