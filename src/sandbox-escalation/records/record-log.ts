/** What was decided about sandboxes and what became of them: one JSON value a line, in a file with a limit. */
import { appendFileSync, renameSync, statSync } from "node:fs";
import { inspect } from "node:util";
import { shortText } from "../short-text.ts";

/** As much again is kept in `<file>.1`. */
const FILE_LIMIT_BYTES = 5 * 1024 * 1024;
/** Records of each VM that `sandbox status` can show. */
const KEPT_PER_VM = 20;
const VMS_LIMIT = 1000;
const TEXT_LIMIT = 500;

export type RecordKind =
  | "requested"
  | "allowed"
  | "denied"
  | "started"
  | "start failed"
  | "exec"
  | "stopped"
  | "files carried"
  | "files not carried"
  | "destroyed"
  | "not destroyed"
  | "reaped"
  | "connection allowed"
  | "connection denied";

export interface EscalationRecord {
  /** ISO 8601. */
  readonly at: string;
  readonly vm: string;
  readonly kind: RecordKind;
  readonly facts: Readonly<Record<string, string | number>>;
}

export interface RecordLogOptions {
  /** Nothing is written without it. */
  readonly file?: string;
  readonly log?: (line: string) => void;
  readonly limitBytes?: number;
}

/** Never throws: what cannot be written is told to the server's log. */
export class RecordLog {
  readonly #options: RecordLogOptions;
  readonly #kept = new Map<string, EscalationRecord[]>();

  constructor(options: RecordLogOptions = {}) {
    this.#options = options;
  }

  /** The cause, which may tell of this host, is in the file alone: a VM can see the rest. */
  add(vm: string, kind: RecordKind, facts: EscalationRecord["facts"] = {}, cause?: unknown): void {
    const cut = Object.entries(facts).map(([name, value]) => [name, cutText(value)] as const);
    const record = { at: new Date().toISOString(), vm, kind, facts: Object.fromEntries(cut) };
    this.#keep(record);
    const { file, log = () => undefined } = this.#options;
    if (file === undefined) return;
    try {
      this.#turnOver(file);
      const all = cause === undefined ? record : { ...record, cause: cutText(inspect(cause)) };
      appendFileSync(file, `${JSON.stringify(all)}\n`, { mode: 0o600 });
    } catch (error) {
      log(`a record about sandboxes cannot be written: ${String(error)}`);
    }
  }

  /** The newest of a VM, the oldest first. */
  of(vm: string): readonly EscalationRecord[] {
    return this.#kept.get(vm) ?? [];
  }

  forget(vm: string): void {
    this.#kept.delete(vm);
  }

  #keep(record: EscalationRecord): void {
    const records = this.#kept.get(record.vm) ?? [];
    if (records.length === 0 && this.#kept.size >= VMS_LIMIT) return;
    records.push(record);
    this.#kept.set(record.vm, records.slice(-KEPT_PER_VM));
  }

  #turnOver(file: string): void {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size >= (this.#options.limitBytes ?? FILE_LIMIT_BYTES)) renameSync(file, `${file}.1`);
  }
}

function cutText(value: string | number): string | number {
  return typeof value === "number" ? value : shortText(value, TEXT_LIMIT);
}
