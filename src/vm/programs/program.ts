/** What every program starts from: its options read, its output gathered, its failures said. */
import {
  encodeText,
  errnoWords,
  isKernelError,
  type KernelError,
  O_CLOEXEC,
  O_RDONLY,
  type Program,
  type Sys,
} from "../../kernel/index.ts";
import { isStackOverflow, MemoryLimitError, TOO_DEEP } from "./memory-limit.ts";
import {
  helpText,
  type Options,
  type ProgramTable,
  readOptions,
  UsageError,
  versionText,
} from "./options.ts";
import { Output, writeAll } from "./output.ts";
import { quoteAs } from "./quote-style.ts";
import { quoteFile } from "./quote-text.ts";
import { RegExpTooComplexError } from "./regexp/errors.ts";

/** One run of a program. */
export class Run {
  readonly sys: Sys;
  /** The name it was called by, which its messages start with. */
  readonly name: string;
  readonly options: Options;
  readonly out: Output;
  /** What the run ends with unless its body says more. */
  status = 0;
  #hasReadStdin = false;

  constructor(sys: Sys, name: string, options: Options) {
    this.sys = sys;
    this.name = name;
    this.options = options;
    this.out = new Output(sys, 1);
  }

  /** The last part of its name, for programs with several names. */
  get baseName(): string {
    return this.name.slice(this.name.lastIndexOf("/") + 1);
  }

  get operands(): readonly string[] {
    return this.options.operands;
  }

  has(option: string): boolean {
    return this.options.has(option);
  }

  /** What went wrong when output was written before a message: it is said at the end. */
  writeError: KernelError | undefined;

  /** Says `name: message` on fd 2, behind the output so far. */
  async warn(message: string): Promise<void> {
    await this.#flushBefore();
    await writeAll(this.sys, 2, encodeText(`${this.name}: ${message}\n`));
  }

  async #flushBefore(): Promise<void> {
    try {
      await this.out.flush();
    } catch (error) {
      if (!isKernelError(error)) throw error;
      this.writeError ??= error;
    }
  }

  /** Says it and makes the status `status`. */
  async fail(message: string, status = 1): Promise<void> {
    this.status = status;
    await this.warn(message);
  }

  /** Says `name: what: words` for a KernelError; rethrows anything else. */
  async failOn(error: unknown, what: string, status = 1): Promise<void> {
    if (!isKernelError(error)) throw error;
    await this.fail(`${what}: ${errorWords(error)}`, status);
  }

  /** Opens each operand (`-` and none are fd 0) and calls back; what fails is said and is status 1. */
  async forEachInput(
    operands: readonly string[],
    step: (fd: number, name: string) => Promise<void>,
    status = 1,
  ): Promise<void> {
    for (const operand of operands.length === 0 ? ["-"] : operands) {
      try {
        await this.withInput(operand, (fd) => step(fd, operand));
      } catch (error) {
        await this.failOn(error, quoteFile(operand), status);
      }
    }
  }

  async withInput(operand: string, step: (fd: number) => Promise<void>): Promise<void> {
    if (operand === "-") {
      this.#hasReadStdin = true;
      return step(0);
    }
    const fd = await this.sys.open(operand, O_RDONLY | O_CLOEXEC);
    try {
      await step(fd);
    } finally {
      await this.sys.close(fd);
    }
  }

  /** Reads from fd 0; what cannot be read is said, and is the end. */
  async readStdin(into: Uint8Array): Promise<number> {
    this.#hasReadStdin = true;
    try {
      return await this.sys.read(0, into);
    } catch (error) {
      await this.failOn(error, "read error");
      return 0;
    }
  }

  /** Closes stdin if it was an input, as GNU's programs do; what is wrong with it is said of `what`. */
  async closeStdin(what: string): Promise<void> {
    if (!this.#hasReadStdin) return;
    try {
      await this.sys.close(0);
    } catch (error) {
      await this.failOn(error, what);
    }
  }
}

/** strerror's words, and what more the kernel has to say. */
export function errorWords({ errno, reason }: KernelError): string {
  return reason === undefined ? errnoWords(errno) : `${errnoWords(errno)} (${reason})`;
}

/** A program from its option table and its body. */
export function defineProgram(
  table: ProgramTable,
  body: (run: Run) => Promise<number | void>,
): Program {
  return async (sys, argv) => {
    let options: Options;
    try {
      options = readOptions(table, argv.slice(1));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return refuse(sys, argv[0] ?? table.name, table, error);
    }
    if (options.has("help") || options.has("version")) {
      const text =
        options.order.find((name) => name === "help" || name === "version") === "help"
          ? helpText(table, argv[0])
          : versionText(table);
      await writeAll(sys, 1, encodeText(text));
      return 0;
    }
    return runBody(new Run(sys, argv[0] ?? table.name, options), table, body);
  };
}

async function runBody(
  run: Run,
  table: ProgramTable,
  body: (run: Run) => Promise<number | void>,
): Promise<number> {
  let status: number | void;
  try {
    status = await body(run);
    if (table.closesStdin !== undefined) await run.closeStdin(table.closesStdin);
  } catch (error) {
    await run.out.flush();
    const limit = limitWords(error);
    if (limit !== undefined) {
      await run.warn(limit);
      return table.refusal ?? 1;
    }
    if (!(error instanceof UsageError)) throw error;
    return refuse(run.sys, run.name, table, error);
  }
  const problem = await finishOutput(run);
  if (problem !== undefined) {
    await run.fail(`write error: ${errorWords(problem)}`, table.refusal ?? 1);
    return run.status;
  }
  return typeof status === "number" ? status : run.status;
}

/** What a program that met a limit says; undefined where that is not what went wrong. */
function limitWords(error: unknown): string | undefined {
  if (error instanceof RegExpTooComplexError || error instanceof MemoryLimitError)
    return error.message;
  return isStackOverflow(error) ? TOO_DEEP : undefined;
}

async function finishOutput(run: Run): Promise<KernelError | undefined> {
  try {
    await run.out.flush();
    return run.writeError;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return error;
  }
}

async function refuse(
  sys: Sys,
  name: string,
  table: ProgramTable,
  error: UsageError,
): Promise<number> {
  const hint = error.hasHint
    ? (table.hint?.(name) ?? `Try '${name} --help' for more information.\n`)
    : "";
  const usage =
    table.showsUsage === true && error.hasHint ? `Usage: ${name} ${table.usage[0]}\n` : "";
  const message = error.message === "" ? "" : `${table.prefix ?? `${name}: `}${error.message}\n`;
  await writeAll(sys, 2, encodeText(`${message}${usage}${hint}`));
  return error.status ?? table.refusal ?? 1;
}

// Deviation: programs quote names in messages with ASCII quotes, as GNU's do in the C locale.
/** How GNU quotes a name in a message: `'name'`, or `$'…'`-style for odd characters. */
export function quoteName(name: string): string {
  return quoteAs("shell-escape-always", name);
}
