/** Bytes that one side puts in and the other takes out in pieces of its own; who puts waits for who takes. */
export class ByteSource {
  #chunk: Uint8Array = new Uint8Array(0);
  #isOver = false;
  #failure: Error | undefined;
  #taken: (() => void) | undefined;
  #came: (() => void) | undefined;

  /** Resolves when there is room for more: what was put before has been taken. */
  async put(bytes: Uint8Array): Promise<void> {
    while (this.#chunk.length > 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#taken = resolve;
      });
    if (this.#failure !== undefined) throw this.#failure;
    this.#chunk = bytes;
    this.#came?.();
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
    this.#came?.();
  }

  /** Nobody takes any more: who puts learns of it. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#taken?.();
    this.#came?.();
  }

  /** At least one byte and at most `limit`; none at the end. */
  async some(limit: number): Promise<Uint8Array> {
    while (this.#chunk.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isOver) return this.#chunk;
      await new Promise<void>((resolve) => {
        this.#came = resolve;
      });
    }
    const bytes = this.#chunk.subarray(0, limit);
    this.#chunk = this.#chunk.subarray(bytes.length);
    if (this.#chunk.length === 0) this.#taken?.();
    return bytes;
  }

  /** Exactly `length`; fewer only at the end. */
  async read(length: number): Promise<Uint8Array> {
    const whole = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const bytes = await this.some(length - done);
      if (bytes.length === 0) break;
      whole.set(bytes, done);
      done += bytes.length;
    }
    return whole.subarray(0, done);
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) {
      const bytes = await this.some(left);
      if (bytes.length === 0) return;
      left -= bytes.length;
    }
  }
}
