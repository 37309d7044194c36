// Collects the parts of a message's head, which come in pieces: its URL, its status, its headers.

/** Fields at which what is there goes to the parser's owner. */
const FLUSH_FIELDS = 32;

export class HeaderText {
  url = "";
  statusMessage = "";
  #fields: string[] = [];
  #values: string[] = [];

  get hasFields(): boolean {
    return this.#fields.length > 0;
  }

  /** Whether the next piece of a name begins a header. */
  get isAtField(): boolean {
    return this.#fields.length === this.#values.length;
  }

  clearHeaders(): void {
    this.#fields = [];
    this.#values = [];
  }

  /** A new header. Whether there are too many to keep: `flush` gets them first. */
  addField(name: string, flush: () => void): void {
    if (this.#fields.length + 1 === FLUSH_FIELDS) {
      flush();
      this.clearHeaders();
    }
    this.#fields.push(name);
  }

  extendField(name: string): void {
    this.#fields[this.#fields.length - 1] += name;
  }

  addValue(value: string): void {
    if (this.#values.length === this.#fields.length) this.#values[this.#values.length - 1] += value;
    else this.#values.push(value);
  }

  /** Names and values in turn; spaces after a value are not a part of it. */
  headers(): string[] {
    const flat: string[] = [];
    for (const [index, value] of this.#values.entries()) {
      flat.push(this.#fields[index] ?? "", trimEnd(value));
    }
    return flat;
  }
}

function trimEnd(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === " " || value[end - 1] === "\t")) end -= 1;
  return end === value.length ? value : value.slice(0, end);
}
