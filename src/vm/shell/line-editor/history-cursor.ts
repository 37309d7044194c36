import type { History } from "../history/history.ts";

/** Going up and down in the history while a line is edited. Changed lines stay changed meanwhile. */
export class HistoryCursor {
  readonly #history: History;
  readonly #edited = new Map<number, string>();
  #at: number;

  constructor(history: History) {
    this.#history = history;
    this.#at = history.length;
  }

  /** The index of the line shown; the history's length is the new line. */
  get at(): number {
    return this.#at;
  }

  get end(): number {
    return this.#history.length;
  }

  text(index: number): string {
    return this.#edited.get(index) ?? this.#history.entries[index]?.text ?? "";
  }

  /** Turns to another line, keeping what was made of this one. Undefined where there is none. */
  go(index: number, current: string): string | undefined {
    if (index < 0 || index > this.end || index === this.#at) return undefined;
    if (current !== this.text(this.#at)) this.#edited.set(this.#at, current);
    this.#at = index;
    return this.text(index);
  }

  /** The nearest line from `from` on, in the direction of `step`, that will do. */
  find(from: number, step: 1 | -1, isWanted: (text: string) => boolean): number | undefined {
    for (let index = from; index >= 0 && index <= this.end; index += step)
      if (isWanted(this.text(index))) return index;
    return undefined;
  }
}
