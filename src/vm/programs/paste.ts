import { encodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../kernel/index.ts";
import { LineCursor } from "./line-cursor.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { quoteFile, quoteText } from "./quote-text.ts";

export const main = defineProgram(
  {
    name: "paste",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Write lines that are made of the lines of each FILE, separated by TABs.",
    options: [
      {
        short: "d",
        long: "delimiters",
        value: "LIST",
        help: "take characters of LIST in turn instead of TABs",
      },
      { short: "s", long: "serial", help: "one file after the other, each a line" },
      { short: "z", long: "zero-terminated", help: "lines end with NUL, not newline" },
    ],
  },
  async (run) => {
    const delimiters = parseDelimiters(run.options.get("delimiters") ?? "\t");
    const operands = run.operands.length === 0 ? ["-"] : run.operands;
    const end = run.has("zero-terminated") ? 0 : 10;
    const paste = new Paste(run, delimiters, end);
    if (run.has("serial")) await run.forEachInput(operands, (fd) => paste.serial(fd));
    else await paste.parallel(operands);
  },
);

const escapes = new Map([
  ["0", ""],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** Each a byte, or none for `\0`. */
function parseDelimiters(text: string): Uint8Array[] {
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text)) {
    throw new UsageError(
      `delimiter list ends with an unescaped backslash: ${quoteText(text).slice(1, -1).replaceAll("\\\\", "\\")}`,
      { hasHint: false },
    );
  }
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "\\") {
      at += 1;
      const next = text.charAt(at);
      pieces.push(encodeText(escapes.get(next) ?? next));
    } else {
      for (const byte of encodeText(letter)) pieces.push(Uint8Array.of(byte));
    }
  }
  return pieces.length === 0 ? [new Uint8Array()] : pieces;
}

class Paste {
  readonly #run: Run;
  readonly #delimiters: readonly Uint8Array[];
  readonly #end: number;

  constructor(run: Run, delimiters: readonly Uint8Array[], end: number) {
    this.#run = run;
    this.#delimiters = delimiters;
    this.#end = end;
  }

  async serial(fd: number): Promise<void> {
    const { out } = this.#run;
    const lines = new LineCursor(this.#run.sys, fd, this.#end);
    let count = 0;
    try {
      while (lines.tryAdvance() || (await lines.advance())) {
        if (count > 0) this.#delimit(count - 1);
        out.add(lines.line);
        if (out.isFull) await out.flush();
        count += 1;
      }
    } finally {
      out.addByte(this.#end);
    }
  }

  async parallel(operands: readonly string[]): Promise<void> {
    const fds: number[] = [];
    try {
      for (const operand of operands) fds.push(await this.#open(operand));
      await this.#merge(operands, fds);
    } finally {
      for (const fd of fds) if (fd !== 0) await this.#run.sys.close(fd);
    }
  }

  async #open(operand: string): Promise<number> {
    if (operand === "-") return 0;
    try {
      return await this.#run.sys.open(operand, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${quoteFile(operand)}: ${errorWords(error)}`, { hasHint: false });
    }
  }

  async #merge(operands: readonly string[], fds: readonly number[]): Promise<void> {
    const { out, sys } = this.#run;
    const standard = new LineCursor(sys, 0, this.#end);
    const inputs = fds.map((fd) => (fd === 0 ? standard : new LineCursor(sys, fd, this.#end)));
    for (;;) {
      /** Delimiters of inputs that have ended wait for a line behind them. */
      let waiting = 0;
      let hasAny = false;
      for (const [at, input] of inputs.entries()) {
        if (await this.#advance(input, operands[at] ?? "-")) {
          hasAny = true;
          this.#delimitAll(at, waiting);
          waiting = 0;
          out.add(input.line);
        }
        waiting += 1;
      }
      if (!hasAny) return;
      this.#delimitAll(inputs.length - 1, waiting - 1);
      out.addByte(this.#end);
      if (out.isFull) await out.flush();
    }
  }

  async #advance(input: LineCursor, operand: string): Promise<boolean> {
    if (input.tryAdvance()) return true;
    if (input.isAtEnd) return false;
    try {
      return await input.advance();
    } catch (error) {
      await this.#run.failOn(error, quoteFile(operand));
      input.isAtEnd = true;
      return false;
    }
  }

  /** The delimiters of the inputs before `place`, `count` of them. */
  #delimitAll(place: number, count: number): void {
    for (let left = count; left > 0; left--) this.#delimit(place - left);
  }

  #delimit(place: number): void {
    this.#run.out.add(this.#delimiters[place % this.#delimiters.length] ?? new Uint8Array());
  }
}
