import { SEEK_CUR, type Stat } from "../../kernel/index.ts";
import { LineBlocks } from "./line-blocks.ts";
import { writeAll } from "./output.ts";
import { defineProgram, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";

const CHUNK_BYTES = 131_072;

export const main = defineProgram(
  {
    name: "cat",
    closesStdin: "closing standard input",
    usage: ["[OPTION]... [FILE]..."],
    summary:
      "Concatenate FILE(s) to standard output.\n\nWith no FILE, or when FILE is -, read standard input.",
    options: [
      { short: "A", long: "show-all", help: "equivalent to -vET" },
      { short: "b", long: "number-nonblank", help: "number nonempty output lines, overrides -n" },
      { short: "e", help: "equivalent to -vE" },
      { short: "E", long: "show-ends", help: "display $ at end of each line" },
      { short: "n", long: "number", help: "number all output lines" },
      { short: "s", long: "squeeze-blank", help: "suppress repeated empty output lines" },
      { short: "t", help: "equivalent to -vT" },
      { short: "T", long: "show-tabs", help: "display TAB characters as ^I" },
      { short: "u", help: "(ignored)" },
      {
        short: "v",
        long: "show-nonprinting",
        help: "use ^ and M- notation, except for LFD and TAB",
      },
    ],
  },
  async (run) => {
    const isPlain = run.options.order.every((name) => name === "u");
    const dressing = new Dressing(run);
    const output = await run.sys.fstat(1);
    const buffer = new Uint8Array(isPlain ? CHUNK_BYTES : 0);
    await run.forEachInput(run.operands, async (fd, name) => {
      if (output.kind === "file" && (await isSelf(run, fd, output)))
        await run.fail(`${quoteFile(name)}: input file is output file`);
      else await (isPlain ? copy(run, fd, buffer) : dressing.copy(fd));
    });
  },
);

/** Whether reading on would meet what was just written. */
async function isSelf({ sys }: Run, fd: number, output: Stat): Promise<boolean> {
  const { dev, ino, size } = await sys.fstat(fd);
  if (dev !== output.dev || ino !== output.ino) return false;
  return (await sys.seek(fd, 0, SEEK_CUR)) < size;
}

async function copy({ sys }: Run, fd: number, buffer: Uint8Array): Promise<void> {
  for (;;) {
    const count = await sys.read(fd, buffer);
    if (count === 0) return;
    await writeAll(sys, 1, count === buffer.length ? buffer : buffer.subarray(0, count));
  }
}

/** Lines with numbers, ends and marks; numbers go on from file to file. */
class Dressing {
  readonly #run: Run;
  readonly #numbers: "none" | "all" | "nonblank";
  readonly #showsEnds: boolean;
  readonly #showsTabs: boolean;
  readonly #showsMarks: boolean;
  #line = 0;
  #blanks = 0;
  #isAtStart = true;

  constructor(run: Run) {
    this.#run = run;
    this.#numbers = run.has("number-nonblank") ? "nonblank" : run.has("number") ? "all" : "none";
    this.#showsEnds = run.has("show-ends") || run.has("e") || run.has("show-all");
    this.#showsTabs = run.has("show-tabs") || run.has("t") || run.has("show-all");
    this.#showsMarks =
      run.has("show-nonprinting") || run.has("e") || run.has("t") || run.has("show-all");
  }

  async copy(fd: number): Promise<void> {
    const { sys, out } = this.#run;
    const blocks = new LineBlocks(sys, fd);
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
      this.#block(block);
      await out.flush();
    }
  }

  #block(block: Uint8Array): void {
    let start = 0;
    while (start < block.length) {
      const end = block.indexOf(10, start);
      this.#dress(block.subarray(start, end === -1 ? block.length : end), end !== -1);
      start = end === -1 ? block.length : end + 1;
    }
  }

  #dress(line: Uint8Array, hasEnd: boolean): void {
    const { out } = this.#run;
    const isBlank = line.length === 0 && this.#isAtStart;
    this.#blanks = isBlank ? this.#blanks + 1 : 0;
    if (this.#run.has("squeeze-blank") && this.#blanks > 1) return;
    const isNumbered = this.#numbers === "all" || (this.#numbers === "nonblank" && !isBlank);
    if (isNumbered && this.#isAtStart) {
      this.#line += 1;
      out.addText(`${String(this.#line).padStart(6)}\t`);
    }
    const isReturned = hasEnd && this.#showsEnds && !this.#showsMarks && line.at(-1) === 13;
    for (const byte of isReturned ? line.subarray(0, -1) : line) this.#addByte(byte);
    if (isReturned) out.addText("^M");
    if (hasEnd && this.#showsEnds) out.addByte(36);
    if (hasEnd) out.addByte(10);
    this.#isAtStart = hasEnd;
  }

  #addByte(byte: number): void {
    const { out } = this.#run;
    if (byte === 9) {
      if (this.#showsTabs) out.addText("^I");
      else out.addByte(byte);
      return;
    }
    if (!this.#showsMarks) {
      out.addByte(byte);
      return;
    }
    if (byte >= 128) out.addText("M-");
    const low = byte & 127;
    if (low < 32) out.addText(`^${String.fromCharCode(low + 64)}`);
    else if (low === 127) out.addText("^?");
    else out.addByte(low);
  }
}
