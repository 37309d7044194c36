/** The records of the operands: files, `-`, and assignments between them. */
import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { errorWords } from "../program.ts";
import type { AwkArray } from "./awk-array.ts";
import { AwkFatalError } from "./awk-error.ts";
import { Reader } from "./reader.ts";
import type { Runtime } from "./runtime.ts";
import { toNumber, type Value } from "./value.ts";

export interface InputHooks {
  readonly argv: AwkArray;
  readonly argc: () => Value;
  /** `name=value` between the operands. */
  readonly assign: (name: string, text: string) => Promise<void>;
  readonly setFileName: (name: string, index: number) => void;
  /** Run at each file's start and end; the start answers false to leave the file out. */
  readonly beginFile: ((problem: string | undefined) => Promise<boolean>) | undefined;
  readonly endFile: (() => Promise<void>) | undefined;
}

export class MainInput {
  readonly #rt: Runtime;
  readonly #hooks: InputHooks;
  #reader: Reader | undefined;
  #argument = 1;
  #hasOpened = false;
  #isOver = false;

  constructor(rt: Runtime, hooks: InputHooks) {
    this.#rt = rt;
    this.#hooks = hooks;
  }

  /** The reader whose record was found last. */
  current(): Reader {
    if (this.#reader === undefined) throw new Error("no record is read");
    return this.#reader;
  }

  /** Finds the next record of all operands; false at their end. */
  next(): boolean | Promise<boolean> {
    const reader = this.#reader;
    if (reader === undefined) return this.#nextFile();
    const found = this.#guard(reader, reader.next(this.#rt.separator));
    if (found === true) {
      this.#rt.terminator = reader.terminator;
      return true;
    }
    return this.#goOn(reader, found);
  }

  /** `nextfile`. */
  async skipFile(): Promise<void> {
    await this.#closeFile();
  }

  async #goOn(reader: Reader, found: boolean | Promise<boolean>): Promise<boolean> {
    if (await found) {
      this.#rt.terminator = reader.terminator;
      return true;
    }
    await this.#closeFile();
    return this.#nextFile();
  }

  #guard(_reader: Reader, found: boolean | Promise<boolean>): boolean | Promise<boolean> {
    if (typeof found === "boolean") return found;
    return found.catch(async (error: unknown) => {
      if (!isKernelError(error)) throw error;
      const name = this.name;
      if (isKernelError(error, "EISDIR")) {
        await this.#rt.warn(
          `${this.#rt.place()}warning: command line argument \`${name}' is a directory: skipped`,
        );
        return false;
      }
      throw new AwkFatalError(`error reading input file \`${name}': ${errorWords(error)}`);
    });
  }

  /** The file that is read. */
  name = "";

  async #closeFile(): Promise<void> {
    const reader = this.#reader;
    if (reader === undefined) return;
    if (this.#hooks.endFile !== undefined) await this.#hooks.endFile();
    if (reader.fd !== 0) await this.#rt.sys.close(reader.fd);
    this.#reader = undefined;
  }

  async #nextFile(): Promise<boolean> {
    while (!this.#isOver) {
      const name = await this.#nextOperand();
      if (name === undefined) {
        this.#isOver = true;
        return false;
      }
      if (!(await this.#open(name))) continue;
      const reader = this.current();
      if (await this.#guard(reader, reader.next(this.#rt.separator))) {
        this.#rt.terminator = reader.terminator;
        return true;
      }
      await this.#closeFile();
    }
    return false;
  }

  /** The next file's name; `-` where no operand is a file. */
  async #nextOperand(): Promise<string | undefined> {
    const { argv, argc, assign } = this.#hooks;
    for (; this.#argument < toNumber(argc()); this.#argument++) {
      const cell = argv.find(this.#argument);
      const text = cell === undefined ? "" : this.#rt.text(cell.value);
      if (text === "") continue;
      const assignment = /^([A-Za-z_]\w*)=([^]*)$/.exec(text);
      if (assignment !== null) {
        await assign(assignment[1] ?? "", assignment[2] ?? "");
        continue;
      }
      this.#argument += 1;
      return text;
    }
    return this.#hasOpened ? undefined : "-";
  }

  async #open(name: string): Promise<boolean> {
    const { setFileName, beginFile } = this.#hooks;
    const isOperand = this.#hasOpened || name !== "-" || this.#argument > 1;
    this.#hasOpened = true;
    this.name = name;
    this.#rt.fnr = 0;
    setFileName(isOperand ? name : "", isOperand ? this.#argument - 1 : 0);
    let problem: string | undefined;
    let fd = 0;
    try {
      if (name !== "-" && name !== "/dev/stdin")
        fd = await this.#rt.sys.open(this.#rt.charset.toKernel(name), O_RDONLY | O_CLOEXEC);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      problem = errorWords(error);
    }
    if (problem === undefined) this.#reader = new Reader(this.#rt.sys, fd, this.#rt.charset);
    if (beginFile !== undefined && !(await beginFile(problem))) {
      await this.#closeFile();
      return false;
    }
    if (problem === undefined) return true;
    throw new AwkFatalError(`cannot open file \`${name}' for reading: ${problem}`);
  }
}
