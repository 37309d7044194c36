import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
} from "../../../kernel/index.ts";
import { forEachLine, LineBlocks } from "../line-blocks.ts";
import { writeAll } from "../output.ts";
import { defineProgram, type Run } from "../program.ts";
import { BcRuntimeError, type Printer } from "./evaluator.ts";
import { Interpreter } from "./interpreter.ts";
import { isOpen } from "./lexer.ts";
import { BcSyntaxError, NeedsMoreError } from "./parse-expression.ts";
import { Parser } from "./parser.ts";
import { BcState } from "./state.ts";
import type { Part } from "./syntax.ts";

const DEFAULT_LINE_LENGTH = 70;

export const main = defineProgram(
  {
    name: "bc",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Run each FILE, then standard input, as a program of exact arithmetic.",
    options: [
      { short: "l", long: "mathlib", help: "define s, c, a, l, e and j; the scale is 20" },
      { short: "q", long: "quiet", help: "(ignored)" },
      { short: "i", long: "interactive", help: "(ignored)" },
      { short: "s", long: "standard", help: "(ignored)" },
      { short: "w", long: "warn", help: "(ignored)" },
    ],
  },
  async (run) => {
    const length = Number((await run.sys.environ()).get("BC_LINE_LENGTH") ?? DEFAULT_LINE_LENGTH);
    const session = new Session(run, length >= 3 || length === 0 ? length : DEFAULT_LINE_LENGTH);
    for (const path of run.operands) {
      let fd: number;
      try {
        fd = await run.sys.open(path, O_RDONLY | O_CLOEXEC);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await session.say(`File ${path} is unavailable.`);
        return 1;
      }
      const isOver = await session.read(fd, path);
      await run.sys.close(fd);
      if (isOver) return 0;
    }
    await session.read(0, "(standard_in)");
    return 0;
  },
);

/** One run over all its inputs. */
class Session implements Printer {
  readonly #run: Run;
  readonly #lineLength: number;
  readonly #state: BcState;
  readonly #interpreter: Interpreter;
  #column = 0;
  #lines: string[] = [];
  #blocks: LineBlocks | undefined;

  constructor(run: Run, lineLength: number) {
    this.#run = run;
    this.#lineLength = lineLength;
    this.#state = new BcState(run.has("mathlib"));
    this.#interpreter = new Interpreter({
      sys: run.sys,
      state: this.#state,
      printer: this,
      readLine: async () => (await this.#nextLine()) ?? "0",
    });
  }

  /** Says a line on fd 2, behind what was printed. */
  async say(message: string): Promise<void> {
    await this.#run.out.flush();
    await writeAll(this.#run.sys, 2, encodeText(`${message}\n`));
  }

  async warn(message: string): Promise<void> {
    await this.say(message);
  }

  async flushFull(): Promise<void> {
    if (this.#run.out.isFull) await this.#run.out.flush();
  }

  text(text: string): void {
    this.#run.out.addText(text);
    const newline = text.lastIndexOf("\n");
    this.#column = newline === -1 ? this.#column + text.length : text.length - newline - 1;
  }

  number(text: string): void {
    const room = this.#lineLength - 2;
    if (this.#lineLength === 0 || this.#column + text.length <= room) {
      this.text(text);
      return;
    }
    let made = "";
    for (const character of text) {
      if (this.#column === room) {
        made += "\\\n";
        this.#column = 0;
      }
      made += character;
      this.#column += 1;
    }
    this.#run.out.addText(made);
  }

  /** Runs what a fd holds; true where the program is over. */
  async read(fd: number, name: string): Promise<boolean> {
    this.#blocks = new LineBlocks(this.#run.sys, fd);
    this.#lines = [];
    let lineNumber = 1;
    for (let line = await this.#nextLine(); line !== undefined; line = await this.#nextLine()) {
      const { source, isOver } = await this.#gatherAndRun(line, name, lineNumber);
      lineNumber += source.split("\n").length - 1;
      if (isOver) return true;
    }
    return false;
  }

  /** Reads lines until what they say is whole, and runs it. */
  async #gatherAndRun(
    first: string,
    name: string,
    lineNumber: number,
  ): Promise<{ readonly source: string; readonly isOver: boolean }> {
    let source = first;
    for (;;) {
      if (source.endsWith("\n") ? !isOpen(source) : !new Parser(source, 0).hasMore()) {
        const isOver = await this.#runSource(source, name, lineNumber);
        if (isOver !== "needs more") return { source, isOver };
      }
      const next = await this.#nextLine();
      if (next === undefined) {
        await this.#cutShort(source, name, lineNumber);
        return { source, isOver: false };
      }
      source += next;
    }
  }

  /** The input ended within a statement: for GNU's bc that is line 1 of what comes next. */
  async #cutShort(source: string, name: string, lineNumber: number): Promise<void> {
    const quotes = source.split('"').length - 1;
    if (quotes % 2 === 0) {
      await this.say("(standard_in) 1: syntax error");
      return;
    }
    const before = source.slice(0, source.lastIndexOf('"')).split("\n").length - 1;
    await this.say(`${name} ${lineNumber + before}: illegal character: "`);
  }

  async #runSource(
    source: string,
    name: string,
    lineNumber: number,
  ): Promise<boolean | "needs more"> {
    for (let place = 0; place < source.length; ) {
      const parser = new Parser(source, place);
      if (!parser.hasMore()) return false;
      let parts: readonly Part[] = [];
      try {
        parts = parser.line();
        place = parser.token.end;
        if (parser.token.kind === "end") place = source.length;
      } catch (error) {
        if (error instanceof NeedsMoreError) return "needs more";
        if (!(error instanceof BcSyntaxError)) throw error;
        const line = lineNumber + source.slice(0, error.place).split("\n").length - 1;
        await this.say(`${name} ${line}: ${error.message}`);
        const end = source.indexOf("\n", Math.max(place, error.place - 1));
        place = end === -1 ? source.length : end + 1;
      }
      if (await this.#runParts(parts)) return true;
    }
    return false;
  }

  /** `quit` counts as soon as it is read. */
  async #runParts(parts: readonly Part[]): Promise<boolean> {
    if (parts.some(({ kind }) => kind === "quit")) return true;
    try {
      for (const part of parts) {
        if (part.kind === "function") this.#state.functions.set(part.node.name, part.node);
        if (part.kind === "statement" && (await this.#interpreter.run(part.statement))) return true;
      }
    } catch (error) {
      if (!(error instanceof BcRuntimeError)) throw error;
      await this.say(
        `Runtime error (func=${error.functionName}, adr=${error.address}): ${error.message}`,
      );
    }
    return false;
  }

  /** A line with its newline; undefined at the end. */
  async #nextLine(): Promise<string | undefined> {
    const kept = this.#lines.pop();
    if (kept !== undefined) return kept;
    await this.#run.out.flush();
    const block = await this.#blocks?.next();
    if (block === undefined) return undefined;
    const lines: string[] = [];
    forEachLine(block, (line, hasDelimiter) => {
      lines.push(`${decodeText(line)}${hasDelimiter ? "\n" : ""}`);
    });
    this.#lines = lines.reverse();
    return this.#lines.pop();
  }
}
