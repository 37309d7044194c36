/** Answers that hold for every VM of a home: a file that people can read, and a copy of it. */
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";

export interface RememberedApproval {
  readonly kind: string;
  readonly subject: string;
  readonly answer: "allow" | "deny";
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Beyond it the oldest is forgotten: then it is asked again. */
const KEPT = 1000;
/** Longer subjects are not remembered: half of one would stand for others. */
export const SUBJECT_LIMIT = 4096;
const FILE_LIMIT_BYTES = 16 * 1024 * 1024;

/**
 * Without a file it remembers as long as it lives. The file is read again whenever it has changed, so
 * that two servers of a home, and people who edit it, are heard. A file that makes no sense holds
 * nothing, and is kept beside the next one as `<file>.damaged`.
 */
export class RememberedApprovals {
  readonly #file: string | undefined;
  readonly #log: (line: string) => void;
  #entries: readonly RememberedApproval[] = [];
  #version = "";
  #isDamaged = false;

  constructor(file: string | undefined, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
  }

  list(): readonly RememberedApproval[] {
    this.#read();
    return this.#entries;
  }

  find(kind: string, subject: string): RememberedApproval | undefined {
    return this.list().find((entry) => entry.kind === kind && entry.subject === subject);
  }

  add(entry: RememberedApproval): void {
    const others = this.list().filter(
      ({ kind, subject }) => kind !== entry.kind || subject !== entry.subject,
    );
    this.#write([...others, entry].slice(-KEPT));
  }

  /** Whether there was one. */
  remove(kind: string, subject: string): boolean {
    const all = this.list();
    const others = all.filter((entry) => entry.kind !== kind || entry.subject !== subject);
    if (others.length === all.length) return false;
    this.#write(others);
    return true;
  }

  #read(): void {
    const file = this.#file;
    if (file === undefined) return;
    const version = versionOf(file);
    if (version === this.#version) return;
    this.#version = version;
    this.#isDamaged = false;
    this.#entries = [];
    if (version === "") return;
    try {
      this.#entries = parseEntries(readFileSync(file, "utf8"));
    } catch (error) {
      this.#isDamaged = true;
      this.#log(`the remembered approvals cannot be read, so none holds: ${String(error)}`);
    }
  }

  /** Whoever reads it sees the old file or the new one, whole. */
  #write(entries: readonly RememberedApproval[]): void {
    this.#entries = entries;
    const file = this.#file;
    if (file === undefined) return;
    const draft = `${file}.${process.pid}.new`;
    writeFileSync(draft, `${JSON.stringify({ approvals: entries }, null, 2)}\n`, { mode: 0o600 });
    if (this.#isDamaged) renameSync(file, `${file}.damaged`);
    this.#isDamaged = false;
    renameSync(draft, file);
    this.#version = versionOf(file);
  }
}

/** Which file it is and when it was written; "" where there is none. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}

function parseEntries(text: string): RememberedApproval[] {
  if (text.length > FILE_LIMIT_BYTES) throw new Error(`it has more than ${FILE_LIMIT_BYTES} bytes`);
  const value: unknown = JSON.parse(text);
  const list: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "approvals") : undefined;
  if (!Array.isArray(list) || !list.every(isEntry)) throw new Error("it holds something else");
  return list;
}

function isEntry(value: unknown): value is RememberedApproval {
  if (typeof value !== "object" || value === null) return false;
  const texts = ["kind", "subject", "by", "at"].map((key): unknown => Reflect.get(value, key));
  const answer: unknown = Reflect.get(value, "answer");
  return (
    texts.every((text) => typeof text === "string") && (answer === "allow" || answer === "deny")
  );
}
