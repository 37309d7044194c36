/** Finds line numbers in a source, for places asked for in rising order mostly. */
export class SourceLines {
  readonly text: string;
  readonly #firstLine: number;
  #position = 0;
  #line: number;

  constructor(text: string, firstLine = 1) {
    this.text = text;
    this.#firstLine = firstLine;
    this.#line = firstLine;
  }

  lineAt(position: number): number {
    if (position < this.#position) {
      this.#position = 0;
      this.#line = this.#firstLine;
    }
    for (;;) {
      const next = this.text.indexOf("\n", this.#position);
      if (next === -1 || next >= position) return this.#line;
      this.#position = next + 1;
      this.#line += 1;
    }
  }
}
