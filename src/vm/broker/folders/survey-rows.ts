/**
 * What a page of a directory says of its files, as it goes from the disk's thread to the server: numbers side by side
 * and texts in lists, since copying an object for each file takes longer than looking at the file.
 */
import type { FileKind } from "../../../kernel/index.ts";
import { compact } from "../../wire/survey-body.ts";
import type { FileFacts, TellFile } from "./reach.ts";

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
const FIRST_ROWS = 32;

/** Rows as they are gathered. */
export class GatheredRows {
  readonly #names: string[] = [];
  readonly #identities: string[] = [];
  readonly #targets = new Map<number, string>();
  #numbers = new Float64Array(FIRST_ROWS * COLUMNS);

  readonly add: TellFile = (name, facts, target) => {
    const row = this.#names.length;
    const numbers = this.#withRoomFor(row + 1);
    const at = row * COLUMNS;
    numbers[at] = kinds.findIndex((one) => one === facts.kind);
    numbers[at + 1] = facts.ino;
    numbers[at + 2] = facts.mode;
    numbers[at + 3] = facts.size;
    numbers[at + 4] = facts.nlink;
    numbers[at + 5] = facts.blocks;
    numbers[at + 6] = facts.atimeMs;
    numbers[at + 7] = facts.mtimeMs;
    numbers[at + 8] = facts.ctimeMs;
    numbers[at + 9] = facts.isReadable ? 1 : 0;
    this.#names.push(name);
    this.#identities.push(facts.identity);
    if (target !== undefined) this.#targets.set(row, target);
  };

  /** As they go to another thread. */
  pack(): SurveyRows {
    const numbers = this.#numbers.slice(0, this.#names.length * COLUMNS);
    return { names: this.#names, identities: this.#identities, numbers, targets: this.#targets };
  }

  #withRoomFor(rows: number): Float64Array {
    if (rows * COLUMNS > this.#numbers.length) {
      const larger = new Float64Array(2 * this.#numbers.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    return this.#numbers;
  }
}

/** What is known of the file in a row. */
export function factsAt({ identities, numbers }: SurveyRows, row: number): FileFacts {
  const at = row * COLUMNS;
  const number = (column: number): number => compact(numbers[at + column] ?? 0);
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
