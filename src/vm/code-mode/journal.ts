/** What evaluated code leaves behind: a file that its script (guest/evaluate.ts) writes. The guest may write anything. */
import { randomBytes } from "node:crypto";
import { isKernelError } from "../../kernel/index.ts";
import { HostError } from "../host-error.ts";
import type { Vm } from "../vm.ts";
import { evaluateLoader, evaluateScript } from "./guest/evaluate.ts";
import { type JournalEntries, parseJournal } from "./parse-journal.ts";

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
      const { kind, size } = await this.#vm.files.stat(this.#file, { as, followsLinks: false });
      if (kind !== "file") return nothing;
      if (size > JOURNAL_LIMIT_BYTES)
        throw new HostError("VALUE_TOO_LARGE", { bytes: size, limit: JOURNAL_LIMIT_BYTES });
      // What it has become meanwhile has no end that can be relied on.
      const length = JOURNAL_LIMIT_BYTES;
      return parseJournal(await this.#vm.files.read(this.#file, { as, length }));
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
