import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
  shellStatus,
} from "../../kernel/index.ts";
import { LineBlocks } from "./line-blocks.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { findCommand, spawnCommand } from "./run-command.ts";

const NEWLINE = 10;

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
    return new Pool(run).runAll(makeCommands(run));
  },
);

interface Item {
  readonly text: string;
  readonly line: number;
}

/** Items as they come: a command starts as soon as it is full. */
async function* readItems(run: Run): AsyncGenerator<Item> {
  const delimiter = readDelimiter(run);
  const name = run.options.get("arg-file");
  const fd = name === undefined ? 0 : await run.sys.open(name, O_RDONLY | O_CLOEXEC);
  const end = delimiter ?? NEWLINE;
  const blocks = new LineBlocks(run.sys, fd, end);
  let number = 0;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    const lines = decodeText(block).split(String.fromCharCode(end));
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) {
      yield* itemsOf(line, number, delimiter !== undefined, run.has("replace"));
      number += 1;
    }
  }
  if (name !== undefined) await run.sys.close(fd);
}

function* itemsOf(
  line: string,
  number: number,
  isWhole: boolean,
  isLine: boolean,
): Generator<Item> {
  if (isWhole) {
    yield { text: line, line: number };
  } else if (isLine) {
    const text = unquote(line.trimStart());
    if (text !== "") yield { text, line: number };
  } else {
    for (const match of line.matchAll(/(?:\\.|"[^"]*"|'[^']*'|[^\s"'\\])+|["']/g))
      yield { text: unquote(match[0]), line: number };
  }
}

/** The byte that ends an item; undefined where blanks and quotes count. */
function readDelimiter({ options }: Run): number | undefined {
  if (options.has("null")) return 0;
  const text = options.get("delimiter");
  const escaped = new Map([
    ["\\n", "\n"],
    ["\\t", "\t"],
    ["\\0", "\0"],
  ]);
  return text === undefined ? undefined : encodeText(escaped.get(text) ?? text)[0];
}

function unquote(text: string): string {
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

async function* makeCommands(run: Run): AsyncGenerator<readonly string[]> {
  const { options } = run;
  const initial = run.operands.length === 0 ? ["echo"] : run.operands;
  const mark = options.get("replace");
  const most = positive(run, "max-args", Number.POSITIVE_INFINITY);
  const lines = positive(run, "max-lines", Number.POSITIVE_INFINITY);
  const limit = Math.min(positive(run, "max-chars", COMMAND_BYTES), COMMAND_BYTES);
  let words: string[] = [];
  let size = 0;
  let lineCount = 0;
  let lastLine = -1;
  for await (const { text, line } of readItems(run)) {
    if (mark !== undefined) {
      yield initial.map((word) => word.replaceAll(mark, text));
      continue;
    }
    const added = text.length * 2 + 1;
    const isNewLine = line !== lastLine;
    const isFull =
      words.length >= most || size + added > limit || (isNewLine && lineCount >= lines);
    if (words.length > 0 && isFull) {
      yield [...initial, ...words];
      words = [];
      size = 0;
      lineCount = 0;
    }
    if (isNewLine) lineCount += 1;
    lastLine = line;
    words.push(text);
    size += added;
  }
  const isNeeded = mark === undefined && lastLine === -1 && !options.has("no-run-if-empty");
  if (words.length > 0 || isNeeded) yield [...initial, ...words];
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

  async runAll(commands: AsyncIterable<readonly string[]>): Promise<number> {
    for await (const command of commands) {
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
