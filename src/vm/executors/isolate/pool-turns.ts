import { ProcessEnded } from "../../../kernel/index.ts";

export interface PoolTurnsOptions {
  /** Jobs under way in the VM, and of one process. */
  readonly total: number;
  readonly each: number;
}

interface Waiting {
  /** Aborted where nobody waits for the job any more. */
  readonly signal: AbortSignal | undefined;
  readonly start: () => void;
  readonly drop: () => void;
}

interface Line {
  readonly waiting: Waiting[];
  underWay: number;
}

/**
 * Who of a VM's processes may have a job on the thread pool of the cell. A job cannot be stopped, so only a few are
 * there at one time; the others wait here, where they end with their process. Processes take turns.
 */
export class PoolTurns {
  readonly #options: PoolTurnsOptions;
  /** By process, the one whose turn was longest ago first. */
  readonly #lines = new Map<object, Line>();
  #underWay = 0;

  constructor(options: PoolTurnsOptions) {
    this.#options = options;
  }

  /** Jobs that wait. */
  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#lines.values()) sum += waiting.length;
    return sum;
  }

  /** Runs the job when it is the process's turn. Fails with ProcessEnded when it is given up before. */
  async run<T>(
    process: object,
    signal: AbortSignal | undefined,
    job: () => Promise<T>,
  ): Promise<T> {
    const line = this.#lineOf(process);
    await new Promise<void>((start, reject) => {
      line.waiting.push({ signal, start, drop: () => reject(new ProcessEnded(0)) });
      this.#startNext();
    });
    try {
      return await job();
    } finally {
      this.#underWay -= 1;
      line.underWay -= 1;
      this.#forgetIdle(process, line);
      this.#startNext();
    }
  }

  /** The process has ended: what waits of it is given up. */
  leave(process: object): void {
    const line = this.#lines.get(process);
    if (line === undefined) return;
    for (const { drop } of line.waiting.splice(0)) drop();
    this.#forgetIdle(process, line);
  }

  #lineOf(process: object): Line {
    const known = this.#lines.get(process);
    if (known !== undefined) return known;
    const made = { waiting: [], underWay: 0 };
    this.#lines.set(process, made);
    return made;
  }

  #forgetIdle(process: object, line: Line): void {
    if (line.underWay === 0 && line.waiting.length === 0) this.#lines.delete(process);
  }

  #startNext(): void {
    for (const [process, line] of this.#lines) {
      if (this.#underWay >= this.#options.total) return;
      if (line.underWay >= this.#options.each) continue;
      const next = takeWanted(line.waiting);
      if (next === undefined) continue;
      this.#underWay += 1;
      line.underWay += 1;
      // To the end: the others first.
      this.#lines.delete(process);
      this.#lines.set(process, line);
      next.start();
    }
  }
}

/** The first that somebody still waits for. */
function takeWanted(waiting: Waiting[]): Waiting | undefined {
  for (;;) {
    const next = waiting.shift();
    if (next?.signal?.aborted !== true) return next;
    next.drop();
  }
}
