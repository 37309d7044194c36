/** Lets many pass at once, or one alone: who wants to be alone waits for those inside, and holds up all others. */
export class Gate {
  #inside = 0;
  #emptied: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  async pass<T>(act: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    this.#inside += 1;
    try {
      return await act();
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  async alone<T>(act: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    let open = (): void => undefined;
    this.#closed = new Promise((resolve) => {
      open = resolve;
    });
    try {
      if (this.#inside > 0)
        await new Promise<void>((resolve) => {
          this.#emptied = resolve;
        });
      return await act();
    } finally {
      this.#emptied = undefined;
      this.#closed = undefined;
      open();
    }
  }
}
