/** Disk that is taken before it is written. */
export interface DiskSpace {
  /** Takes up to `bytes`; answers how many there were. */
  take(bytes: number): number;
  give(bytes: number): void;
  /** After a `take` that gave less: the limit that it met, in words. */
  readonly lack: string;
}

export interface LogSpaceOptions {
  /** What of it comes from there, too. */
  readonly parent?: DiskSpace;
  /** Called when it is full: may give up older logs. */
  readonly makeRoom?: () => void;
  /** What the limit is for. */
  readonly name?: string;
}

/**
 * Disk that logs may take: so much in one VM, and so much in all VMs of a server.
 *
 * When it is full, `makeRoom` may give up older logs; a log that gets less than it asks for is cut.
 */
export class LogSpace implements DiskSpace {
  readonly #limitBytes: number;
  readonly #options: LogSpaceOptions;
  #usedBytes = 0;
  #lack = "";

  constructor(limitBytes: number, options: LogSpaceOptions = {}) {
    this.#limitBytes = limitBytes;
    this.#options = options;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get lack(): string {
    return this.#lack;
  }

  take(bytes: number): number {
    const { parent, makeRoom, name = "logs" } = this.#options;
    if (this.#limitBytes - this.#usedBytes < bytes) makeRoom?.();
    const own = Math.max(0, Math.min(bytes, this.#limitBytes - this.#usedBytes));
    const granted = parent?.take(own) ?? own;
    this.#usedBytes += granted;
    this.#lack =
      granted < own && parent !== undefined
        ? parent.lack
        : `${name} may have ${Math.floor(this.#limitBytes / 1024 / 1024)} MiB`;
    return granted;
  }

  give(bytes: number): void {
    this.#usedBytes -= bytes;
    this.#options.parent?.give(bytes);
  }
}
