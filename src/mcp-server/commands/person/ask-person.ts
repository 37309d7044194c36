// The one check that a person is there, for every command that gives a guest more than it has. The person reads all of what
// is asked on their terminal, and types a code that only that terminal has shown. Runs on Node 20.
import { randomInt } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { ReadStream } from "node:tty";
import { findClientAbove } from "./client-above.ts";

export interface PersonQuestion {
  /** All of it, as lines without hidden characters. */
  readonly lines: readonly string[];
  /** What typing the code does: "allow it once". */
  readonly deed: string;
  /** The shims of the clients that are connected: none of them may have started this command. */
  readonly shims: readonly number[];
}

/** Nobody is there who can be asked; the message says why, and what to do. */
export class NoPersonError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoPersonError";
  }
}

const anotherTerminal = "Run it yourself, in a terminal that you have opened.";

/** Whether they typed the code. NoPersonError. */
export async function askPerson({ lines, deed, shims }: PersonQuestion): Promise<boolean> {
  const client = findClientAbove(shims);
  if (client !== undefined) {
    throw new NoPersonError(
      `Only a person can allow this, and this command was started by ${client.name} (pid ${client.pid}), an MCP client. ${anotherTerminal}`,
    );
  }
  const terminal = Terminal.open();
  try {
    if (!(await terminal.page(lines))) return false;
    const code = String(randomInt(1000, 10_000));
    const typed = await terminal.ask(
      `To ${deed}, type ${code}. Anything else leaves it open. Code: `,
    );
    return typed === code;
  } finally {
    terminal.close();
  }
}

/** The terminal that this process belongs to, whatever its standard streams are. */
class Terminal {
  /** Opened apart from the input, which does not block. */
  readonly #output: number;
  readonly #input: ReadStream;
  readonly #lines: Interface;
  readonly #typed: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  private constructor(path: string) {
    this.#output = openSync(path, "w");
    this.#input = new ReadStream(openSync(path, "r"));
    this.#lines = createInterface({ input: this.#input, terminal: false });
    this.#lines.on("line", (line) => {
      this.#typed.push(line);
      this.#wake?.();
    });
    this.#lines.once("close", () => {
      this.#isOver = true;
      this.#wake?.();
    });
    this.#input.on("error", () => this.#lines.close());
  }

  static open(): Terminal {
    try {
      return new Terminal(process.platform === "win32" ? "\\\\.\\CON" : "/dev/tty");
    } catch {
      throw new NoPersonError(`Only a person at a terminal can allow this. ${anotherTerminal}`);
    }
  }

  /** Shows the lines, a screen at a time. Whether they were read to the end. */
  async page(lines: readonly string[]): Promise<boolean> {
    const [columns, rows] = this.#size();
    let isPaged = true;
    let shown = 0;
    for (const row of wrap(lines, columns)) {
      if (isPaged && shown === rows - 1) {
        const typed = await this.ask("-- Enter: more, a: all, q: stop -- ");
        if (typed === undefined || /^q/i.test(typed)) return false;
        isPaged = !/^a/i.test(typed);
        shown = 0;
      }
      shown += 1;
      this.#write(`${row}\n`);
    }
    return true;
  }

  /** A line that is typed; undefined where the terminal has ended. */
  async ask(prompt: string): Promise<string | undefined> {
    this.#write(prompt);
    while (this.#typed.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#typed.shift()?.trim();
  }

  close(): void {
    this.#lines.close();
    this.#input.destroy();
    closeSync(this.#output);
  }

  /** Some terminals say 0. */
  #size(): readonly [number, number] {
    const { columns, rows } = process.stdout;
    return [columns > 0 ? columns : 80, rows > 1 ? rows : 24];
  }

  #write(text: string): void {
    writeSync(this.#output, text);
  }
}

/** The rows of a terminal that the lines take; a long line takes several. */
function* wrap(lines: readonly string[], columns: number): Generator<string> {
  for (const line of lines) {
    const characters = line.length <= columns ? [line] : (line.match(rowsOf(columns)) ?? []);
    yield* characters.length === 0 ? [""] : characters;
  }
}

function rowsOf(columns: number): RegExp {
  return new RegExp(`.{1,${columns}}`, "gsu");
}
