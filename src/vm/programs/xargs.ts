import { decodeText, encodeText, isKernelError, shellStatus } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";
import { findCommand, spawnCommand } from "./run-command.ts";

/** Bytes of one command line, below the VM's limit for arguments. */
const COMMAND_BYTES = 131_072;

/** Statuses of xargs(1). */
const COMMAND_FAILED = 123;
const COMMAND_STOPPED = 124;
const COMMAND_KILLED = 125;
const CANNOT_RUN = 126;
const NOT_FOUND = 127;

export const main = defineProgram(
  {
    name: "xargs",
    usage: ["[OPTION]... COMMAND [INITIAL-ARGS]..."],
    summary: "Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.",
    options: [
      { short: "0", long: "null", help: "items are separated by a null, not whitespace" },
      {
        short: "a",
        long: "arg-file",
        value: "FILE",
        help: "read arguments from FILE, not standard input",
      },
      {
        short: "d",
        long: "delimiter",
        value: "CHARACTER",
        help: "items in input stream are separated by CHARACTER",
      },
      {
        short: "I",
        long: "replace",
        value: "R",
        help: "replace R in INITIAL-ARGS with names read from input",
      },
      {
        short: "L",
        long: "max-lines",
        value: "MAX-LINES",
        help: "use at most MAX-LINES non-blank input lines per command",
      },
      {
        short: "n",
        long: "max-args",
        value: "MAX-ARGS",
        help: "use at most MAX-ARGS arguments per command line",
      },
      {
        short: "P",
        long: "max-procs",
        value: "MAX-PROCS",
        help: "run at most MAX-PROCS processes at a time",
      },
      {
        short: "r",
        long: "no-run-if-empty",
        help: "if there are no arguments, then do not run COMMAND",
      },
      {
        short: "s",
        long: "max-chars",
        value: "MAX-CHARS",
        help: "limit length of command line to MAX-CHARS",
      },
      { short: "t", long: "verbose", help: "print commands before executing them" },
      { short: "x", long: "exit", help: "exit if the size (see -s) is exceeded" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    const items = readItems(run, await readInput(run));
    const commands = makeCommands(run, items);
    return new Pool(run).runAll(commands);
  },
);

async function readInput(run: Run): Promise<string> {
  let text = "";
  await run.withInput(run.options.get("arg-file") ?? "-", async (fd) => {
    text = decodeText(await readAllBytes(run.sys, fd));
  });
  return text;
}

interface Item {
  readonly text: string;
  readonly line: number;
}

function readItems(run: Run, text: string): Item[] {
  const { options } = run;
  const delimiter = options.has("null")
    ? "\0"
    : options
        .get("delimiter")
        ?.replace(/^\\n$/, "\n")
        .replace(/^\\t$/, "\t")
        .replace(/^\\0$/, "\0");
  if (delimiter !== undefined) {
    const body = text.endsWith(delimiter) ? text.slice(0, -delimiter.length) : text;
    return body === "" && text === ""
      ? []
      : body.split(delimiter).map((item, line) => ({ text: item, line }));
  }
  if (options.has("replace")) {
    return text
      .split("\n")
      .map((line, at) => ({ text: unquote(line.trimStart(), at), line: at }))
      .filter((item) => item.text !== "");
  }
  const items: Item[] = [];
  for (const [line, content] of text.split("\n").entries()) {
    for (const match of content.matchAll(/(?:\\.|"[^"]*"|'[^']*'|[^\s"'\\])+|["']/g))
      items.push({ text: unquote(match[0], line), line });
  }
  return items;
}

function unquote(text: string, _line: number): string {
  if (/^["']$/.test(text)) {
    throw new UsageError(
      `unmatched ${text === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`,
      { hasHint: false },
    );
  }
  return text.replace(
    /\\(.)|"([^"]*)"|'([^']*)'/gs,
    (_, escaped?: string, double?: string, single?: string) => escaped ?? double ?? single ?? "",
  );
}

function makeCommands(run: Run, items: readonly Item[]): string[][] {
  const { options } = run;
  const initial = run.operands.length === 0 ? ["echo"] : run.operands;
  const mark = options.get("replace");
  if (mark !== undefined)
    return items.map(({ text }) => initial.map((word) => word.replaceAll(mark, text)));
  if (items.length === 0) return options.has("no-run-if-empty") ? [] : [[...initial]];
  const most = positive(run, "max-args", Number.POSITIVE_INFINITY);
  const lines = positive(run, "max-lines", Number.POSITIVE_INFINITY);
  const limit = Math.min(positive(run, "max-chars", COMMAND_BYTES), COMMAND_BYTES);
  const commands: string[][] = [];
  let words: string[] = [];
  let size = 0;
  let firstLine = 0;
  let lineCount = 0;
  let lastLine = -1;
  for (const { text, line } of items) {
    const added = text.length * 2 + 1;
    const isNewLine = line !== lastLine;
    const isFull =
      words.length >= most || size + added > limit || (isNewLine && lineCount >= lines);
    if (words.length > 0 && isFull) {
      commands.push([...initial, ...words]);
      words = [];
      size = 0;
      lineCount = 0;
      firstLine = line;
    }
    if (isNewLine) lineCount += 1;
    lastLine = line;
    words.push(text);
    size += added;
  }
  if (words.length > 0 || firstLine > 0) commands.push([...initial, ...words]);
  return commands;
}

function positive(run: Run, name: string, otherwise: number): number {
  const text = run.options.get(name);
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1) {
    throw new UsageError(
      `value ${text} for -${name === "max-args" ? "n" : name === "max-lines" ? "L" : "s"} option should be >= 1`,
      { hasHint: true },
    );
  }
  return number;
}

/** Runs commands, several at a time under -P. */
class Pool {
  readonly #run: Run;
  readonly #most: number;
  #running = 0;
  #status = 0;
  #name = "";
  #isStopped = false;

  constructor(run: Run) {
    this.#run = run;
    const given = run.options.get("max-procs");
    this.#most =
      given === undefined ? 1 : Number(given) === 0 ? 64 : Math.max(1, Number(given) || 1);
  }

  async runAll(commands: readonly (readonly string[])[]): Promise<number> {
    for (const command of commands) {
      if (this.#running >= this.#most) await this.#wait();
      if (this.#isStopped || !(await this.#start(command))) break;
    }
    while (this.#running > 0) await this.#wait();
    return this.#status;
  }

  async #start(command: readonly string[]): Promise<boolean> {
    const { sys, out } = this.#run;
    const [name = ""] = command;
    if (this.#run.has("verbose")) await this.#say(`${command.join(" ")}\n`);
    await out.flush();
    const path = await findCommand(sys, name, (await sys.environ()).get("PATH"));
    try {
      if (path === undefined) {
        await this.#run.fail(`${name}: No such file or directory`);
        this.#status = NOT_FOUND;
        return false;
      }
      this.#name = name;
      await spawnCommand(sys, path, command);
      this.#running += 1;
      return true;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`${name}: ${errorWords(error)}`);
      this.#status = error.errno === "ENOENT" ? NOT_FOUND : CANNOT_RUN;
      return false;
    }
  }

  async #say(text: string): Promise<void> {
    await this.#run.out.flush();
    await this.#run.sys.write(2, encodeText(text));
  }

  async #wait(): Promise<void> {
    const waited = await this.#run.sys.wait({ pid: -1 });
    this.#running -= 1;
    if (waited === undefined) return;
    if (waited.status.kind === "signaled") {
      this.#status = COMMAND_KILLED;
      this.#isStopped = true;
      return;
    }
    const status = shellStatus(waited.status);
    if (status === 255) {
      await this.#run.warn(`${this.#name}: exited with status 255; aborting`);
      this.#status = COMMAND_STOPPED;
      this.#isStopped = true;
    } else if (status !== 0 && this.#status === 0) {
      this.#status = COMMAND_FAILED;
    }
  }
}
