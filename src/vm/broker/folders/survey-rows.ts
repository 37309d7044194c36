/**
 * What a page of a directory says of its files, as it goes from the disk's thread to the server: numbers side by side
 * and texts in lists, since copying an object for each file takes longer than looking at the file.
 */
import type { FileKind } from "../../../kernel/index.ts";
import type { FileFacts } from "./reach.ts";

export interface SurveyRows {
  readonly names: readonly string[];
  readonly identities: readonly string[];
  /** COLUMNS for each file. */
  readonly numbers: Float64Array;
  /** Where links lead, by the file's place. */
  readonly targets: ReadonlyMap<number, string>;
}

const kinds = ["file", "directory", "symlink", "device", "socket"] as const satisfies FileKind[];
const COLUMNS = 10;

/** Rows as they are gathered: at most `limit`. */
export class GatheredRows {
  readonly #names: string[] = [];
  readonly #identities: string[] = [];
  readonly #targets = new Map<number, string>();
  readonly #numbers: Float64Array;

  constructor(limit: number) {
    this.#numbers = new Float64Array(limit * COLUMNS);
  }

  add(name: string, facts: FileFacts, target: string | undefined): void {
    const row = this.#names.length;
    const { kind, ino, mode, size, nlink, blocks, atimeMs, mtimeMs, ctimeMs, isReadable } = facts;
    const numbers = this.#numbers;
    let at = row * COLUMNS;
    numbers[at++] = kinds.findIndex((one) => one === kind);
    numbers[at++] = ino;
    numbers[at++] = mode;
    numbers[at++] = size;
    numbers[at++] = nlink;
    numbers[at++] = blocks;
    numbers[at++] = atimeMs;
    numbers[at++] = mtimeMs;
    numbers[at++] = ctimeMs;
    numbers[at] = isReadable ? 1 : 0;
    this.#names.push(name);
    this.#identities.push(facts.identity);
    if (target !== undefined) this.#targets.set(row, target);
  }

  /** As they go to another thread. */
  pack(): SurveyRows {
    const numbers = this.#numbers.slice(0, this.#names.length * COLUMNS);
    return { names: this.#names, identities: this.#identities, numbers, targets: this.#targets };
  }
}

/** What is known of the file in a row. */
export function factsAt({ identities, numbers }: SurveyRows, row: number): FileFacts {
  const at = row * COLUMNS;
  const number = (column: number): number => numbers[at + column] ?? 0;
  return {
    identity: identities[row] ?? "",
    kind: kinds[number(0)] ?? "device",
    ino: number(1),
    mode: number(2),
    size: number(3),
    nlink: number(4),
    blocks: number(5),
    atimeMs: number(6),
    mtimeMs: number(7),
    ctimeMs: number(8),
    isReadable: number(9) === 1,
  };
}
