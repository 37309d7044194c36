/** Bytes that are held for one VM, up to a limit. */
export class HeldBytes {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there is room for so many more. */
  has(bytes: number): boolean {
    return this.#held + bytes <= this.#limit;
  }

  add(bytes: number): void {
    this.#held += bytes;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}
