/** What evaluated code leaves behind: a file that its script (guest/evaluate.ts) writes. The guest may write anything. */
import { randomBytes } from "node:crypto";
import { isKernelError } from "../../kernel/index.ts";
import { HostError } from "../host-error.ts";
import type { Vm } from "../vm.ts";
import { evaluateLoader, evaluateScript } from "./guest/evaluate.ts";

export interface EvaluationError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** A tool's, or Node's. */
  readonly code?: string;
}

export interface Outcome {
  readonly status: "completed" | "error";
  readonly value?: unknown;
  /** What of the value JSON has no form for, and what was made of it. */
  readonly notes?: readonly string[];
  readonly error?: EvaluationError;
}

export interface JournalEntries {
  /** What the code gave to text(). */
  readonly texts: readonly string[];
  /** Undefined where the code has not ended by itself. */
  readonly outcome: Outcome | undefined;
}

/** The command that reads a journal's request from its stdin. */
export const evaluateCommand: readonly string[] = [
  "node",
  "--disable-warning=ExperimentalWarning",
  "-e",
  evaluateLoader,
];

/** The most a value may take as JSON. */
export const VALUE_LIMIT_BYTES = 16 * 1024 * 1024;
/** A value of three bytes a character, texts, and their frame. */
const JOURNAL_LIMIT_BYTES = 4 * VALUE_LIMIT_BYTES;

const NOTES_LIMIT = 20;

export interface CodeRequest {
  readonly code: string;
  /** Both are tried where it is not said. */
  readonly language?: "javascript" | "typescript" | undefined;
  /** Whether the code has `tools` and the other globals of code mode. */
  readonly isCodeMode?: boolean;
}

export class Journal {
  readonly #vm: Vm;
  readonly #as: "user" | "root";
  readonly #file = `/tmp/.evaluation-${randomBytes(12).toString("hex")}`;

  constructor(vm: Vm, as: "user" | "root") {
    this.#vm = vm;
    this.#as = as;
  }

  /** The stdin of `evaluateCommand`. */
  request(request: CodeRequest): string {
    const journal = this.#file;
    const script = evaluateScript;
    return JSON.stringify({ ...request, script, journal, limitBytes: VALUE_LIMIT_BYTES });
  }

  /** What is written by now. VALUE_TOO_LARGE where that is more than the script writes. */
  async read(): Promise<JournalEntries> {
    const as = this.#as;
    try {
      const { size } = await this.#vm.files.stat(this.#file, { as });
      if (size > JOURNAL_LIMIT_BYTES)
        throw new HostError("VALUE_TOO_LARGE", { bytes: size, limit: JOURNAL_LIMIT_BYTES });
      return parseJournal(decode(await this.#vm.files.read(this.#file, { as })));
    } catch (error) {
      if (isKernelError(error)) return nothing;
      throw error;
    }
  }

  /** Reads it for the last time. */
  async take(): Promise<JournalEntries> {
    const entries = await this.read();
    try {
      await this.#vm.files.remove(this.#file, { as: this.#as });
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
    return entries;
  }
}

const nothing: JournalEntries = { texts: [], outcome: undefined };

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function parseJournal(text: string): JournalEntries {
  const texts: string[] = [];
  let outcome: Outcome | undefined;
  for (const line of text.split("\n")) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    if ("text" in entry && typeof entry.text === "string") texts.push(entry.text);
    else outcome = readOutcome(entry);
  }
  return { texts, outcome };
}

function parseLine(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // A line that was not finished, or the guest's own.
    return undefined;
  }
}

function readOutcome(written: object): Outcome | undefined {
  const texts = "notes" in written && Array.isArray(written.notes) ? written.notes : [];
  const said = texts.filter((note) => typeof note === "string").slice(0, NOTES_LIMIT);
  const notes = said.length === 0 ? {} : { notes: said };
  if (!("error" in written)) {
    return {
      status: "completed",
      ...("value" in written ? { value: written.value } : {}),
      ...notes,
    };
  }
  const { error } = written;
  return typeof error === "object" && error !== null
    ? { status: "error", error: readError(error), ...notes }
    : undefined;
}

function readError(error: object): EvaluationError {
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === "string" ? value : undefined;
  };
  const stack = text("stack");
  const code = text("code");
  return {
    name: text("name") ?? "Error",
    message: text("message") ?? "",
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code }),
  };
}
