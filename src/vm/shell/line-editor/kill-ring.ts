/** How many killed texts are kept, as in readline. */
const KEPT = 10;

/** The texts that were cut, the newest last; C-y brings them back. */
export class KillRing {
  readonly #texts: string[] = [];
  #at = 0;

  /** Killing right after killing makes one text. */
  add(text: string, joint: "new" | "append" | "prepend"): void {
    if (text === "") return;
    const last = this.#texts.pop();
    if (joint === "append" && last !== undefined) this.#texts.push(last + text);
    else if (joint === "prepend" && last !== undefined) this.#texts.push(text + last);
    else {
      if (last !== undefined) this.#texts.push(last);
      this.#texts.push(text);
    }
    if (this.#texts.length > KEPT) this.#texts.shift();
    this.#at = this.#texts.length - 1;
  }

  get current(): string {
    return this.#texts[this.#at] ?? "";
  }

  /** Turns to the text before. */
  rotate(): string {
    this.#at = (this.#at - 1 + this.#texts.length) % Math.max(1, this.#texts.length);
    return this.current;
  }
}
