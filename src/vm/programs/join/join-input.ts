import { decodeText } from "../../../kernel/index.ts";
import { compareBytes } from "../compare-bytes.ts";
import { LineCursor } from "../line-cursor.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import type { JoinSettings } from "./settings.ts";

/** A line and its fields. */
export interface JoinLine {
  readonly bytes: Uint8Array;
  readonly fields: readonly Uint8Array[];
  readonly key: Uint8Array;
}

/** One of the two files; says where it is not sorted. */
export class JoinInput {
  isWarned = false;
  /** Set once a line has had no partner: from then on order is looked at. */
  isChecking = false;
  readonly #run: Run;
  readonly #name: string;
  readonly #settings: JoinSettings;
  readonly #place: 0 | 1;
  readonly #lines: LineCursor;
  #number = 0;
  #previous: JoinLine | undefined;

  // oxlint-disable-next-line max-params -- what an input is
  constructor(run: Run, fd: number, name: string, settings: JoinSettings, number: 1 | 2) {
    this.#run = run;
    this.#name = name;
    this.#settings = settings;
    this.#place = number === 1 ? 0 : 1;
    this.#lines = new LineCursor(run.sys, fd, settings.end);
    this.isChecking = settings.check === "all";
  }

  /** The next line, its own copy; undefined at the end. */
  async next(): Promise<JoinLine | undefined> {
    if (!this.#lines.tryAdvance() && !(await this.#lines.advance())) return undefined;
    this.#number += 1;
    const bytes = this.#lines.line.slice();
    const fields = splitFields(bytes, this.#settings.tab);
    const field = fields[this.#settings.fields[this.#place]] ?? new Uint8Array();
    const key = this.#settings.ignoresCase ? upperCase(field) : field;
    const line = { bytes, fields, key };
    if (this.#previous !== undefined) await this.#check(this.#previous, line);
    this.#previous = line;
    return line;
  }

  /** A header is not compared with what follows. */
  forgetPrevious(): void {
    this.#previous = undefined;
  }

  async #check(earlier: JoinLine, later: JoinLine): Promise<void> {
    if (!this.isChecking || this.isWarned || this.#settings.check === "none") return;
    if (compareBytes(earlier.key, later.key) <= 0) return;
    const message = `${this.#name}:${this.#number}: is not sorted: ${decodeText(later.bytes)}`;
    if (this.#settings.check === "all") throw new UsageError(message, { hasHint: false });
    await this.#run.fail(message);
    this.isWarned = true;
  }
}

function upperCase(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte));
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10;
}

function splitFields(line: Uint8Array, tab: number | "line" | undefined): Uint8Array[] {
  if (line.length === 0) return [];
  if (tab === "line") return [line];
  if (tab === undefined) return splitBlanks(line);
  const fields: Uint8Array[] = [];
  let start = 0;
  for (let at = line.indexOf(tab); at !== -1; at = line.indexOf(tab, start)) {
    fields.push(line.subarray(start, at));
    start = at + 1;
  }
  fields.push(line.subarray(start));
  return fields;
}

/** Runs of blanks separate; blanks at the end have an empty field behind them. */
function splitBlanks(line: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let at = 0;
  while (at < line.length && isBlank(line[at])) at += 1;
  while (at < line.length) {
    let end = at + 1;
    while (end < line.length && !isBlank(line[end])) end += 1;
    fields.push(line.subarray(at, end));
    if (end === line.length) return fields;
    at = end + 1;
    while (at < line.length && isBlank(line[at])) at += 1;
    if (at === line.length) fields.push(new Uint8Array());
  }
  return fields;
}
