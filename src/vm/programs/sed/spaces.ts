import { PatternSpace } from "./pattern-space.ts";

/** The pattern space and the hold space, each with whether its line ended in a newline. */
export class Spaces {
  readonly pattern = new PatternSpace();
  readonly #hold = new PatternSpace();
  readonly #delimiter: number;
  hasDelimiter = true;
  #holdHasDelimiter = true;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  useHold(name: "g" | "G" | "h" | "H" | "x" | "z"): void {
    const { pattern } = this;
    const hold = this.#hold;
    if (name === "z") {
      pattern.clear();
    } else if (name === "x") {
      const held = hold.view().slice();
      hold.set(pattern.view());
      pattern.set(held);
      [this.hasDelimiter, this.#holdHasDelimiter] = [this.#holdHasDelimiter, this.hasDelimiter];
    } else if (name === "g" || name === "G") {
      if (name === "g") pattern.set(hold.view());
      else this.#join(pattern, hold);
      this.hasDelimiter = this.#holdHasDelimiter;
    } else {
      if (name === "h") hold.set(pattern.view());
      else this.#join(hold, pattern);
      this.#holdHasDelimiter = this.hasDelimiter;
    }
  }

  #join(to: PatternSpace, from: PatternSpace): void {
    to.append(Uint8Array.of(this.#delimiter));
    to.append(from.view());
  }

  firstLine(): Uint8Array {
    const view = this.pattern.view();
    const end = view.indexOf(this.#delimiter);
    return end === -1 ? view : view.subarray(0, end);
  }

  /** Takes the first of several lines away; false where there is but one. */
  cutFirstLine(): boolean {
    const end = this.pattern.view().indexOf(this.#delimiter);
    if (end === -1) return false;
    this.pattern.keep();
    this.pattern.start += end + 1;
    return true;
  }
}
