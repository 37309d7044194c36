import type { Text } from "../regexp/surroundings.ts";
import type { Place } from "./printer.ts";

interface Held {
  readonly text: Text;
  readonly place: Place;
}

/** The lines around those selected: kept before, counted behind. */
export class Context {
  readonly #before: number;
  readonly #after: number;
  #held: Held[] = [];
  #trailing = 0;
  #lastPrinted = -1;
  #hasPrinted = false;

  constructor(before: number, after: number) {
    this.#before = Math.max(0, before);
    this.#after = Math.max(0, after);
    this.isUsed = before >= 0 || after >= 0;
  }

  /** Whether context was asked for, be it of no lines: groups are then set apart. */
  readonly isUsed: boolean;

  /** Whether the next line is printed. */
  get isTrailing(): boolean {
    return this.#trailing > 0;
  }

  begin(): void {
    this.#held = [];
    this.#trailing = 0;
    this.#lastPrinted = -1;
  }

  hold(line: Text, place: Place): void {
    if (this.#before === 0) return;
    const bytes = line.bytes.slice(line.start, line.end);
    this.#held.push({ text: { bytes, start: 0, end: bytes.length }, place });
    if (this.#held.length > this.#before) this.#held.shift();
  }

  takeHeld(): readonly Held[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Whether lines were left out since the last one printed. */
  needsSeparator(number: number): boolean {
    const first = this.#held[0]?.place.number ?? number;
    return this.isUsed && this.#hasPrinted && first > this.#lastPrinted + 1;
  }

  printed(number: number, isSelected: boolean): void {
    this.#lastPrinted = number;
    this.#hasPrinted = true;
    this.#trailing = isSelected ? this.#after : this.#trailing - 1;
  }
}
