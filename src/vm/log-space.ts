/**
 * Disk that logs may take: so much in one VM, and so much in all VMs of a server.
 *
 * When it is full, `makeRoom` may give up older logs; a log that gets less than it asks for is cut.
 */
export class LogSpace {
  readonly #limitBytes: number;
  readonly #parent: LogSpace | undefined;
  readonly #makeRoom: () => void;
  #usedBytes = 0;

  constructor(limitBytes: number, parent?: LogSpace, makeRoom: () => void = () => undefined) {
    this.#limitBytes = limitBytes;
    this.#parent = parent;
    this.#makeRoom = makeRoom;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Takes up to `bytes`; answers how many there were. */
  take(bytes: number): number {
    if (this.#limitBytes - this.#usedBytes < bytes) this.#makeRoom();
    const own = Math.max(0, Math.min(bytes, this.#limitBytes - this.#usedBytes));
    const granted = this.#parent?.take(own) ?? own;
    this.#usedBytes += granted;
    return granted;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
    this.#parent?.give(bytes);
  }
}
