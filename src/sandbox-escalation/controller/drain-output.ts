import type { ProcessEnd, SandboxProcess, StreamBytes } from "../provider.ts";

export interface OutputTaker {
  out(bytes: Uint8Array): void | Promise<void>;
  error(bytes: Uint8Array): void | Promise<void>;
}

/**
 * What an ended process has written and nobody has counted arrives in that time; what it left running may hold
 * its output for ever.
 */
const QUIET_MS = 150;
/** What is known to have been written comes, however late; unless somebody in the sandbox has read it. */
const OWED_MS = 30_000;

/** Takes all that a process writes, as fast as it is taken, and answers how it ended. Fails with what a taker throws. */
export async function drainOutput(process: SandboxProcess, take: OutputTaker): Promise<ProcessEnd> {
  const end = new EndWatch(process.ended);
  const owes = (stream: keyof StreamBytes, taken: number): boolean =>
    taken < (process.writtenAtEnd?.()?.[stream] ?? 0);
  const [, , ended] = await Promise.all([
    drain(process.output, {
      end,
      owes: (taken) => owes("output", taken),
      take: (bytes) => take.out(bytes),
    }),
    drain(process.errors, {
      end,
      owes: (taken) => owes("errors", taken),
      take: (bytes) => take.error(bytes),
    }),
    process.ended,
  ]);
  return ended;
}

/** Who waits for the next bytes is woken some time after the end; no promise collects those who wait. */
class EndWatch {
  readonly #wake = new Set<() => void>();
  #isEnded = false;

  constructor(ended: Promise<unknown>) {
    const tell = (): void => {
      this.#isEnded = true;
      for (const wake of this.#wake) wake();
    };
    ended.then(tell, tell);
  }

  /** Undefined when the process is over and nothing comes, sooner where it `owes` nothing. */
  async before<T>(next: Promise<T>, owes: () => boolean): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let arm = (): void => undefined;
    const quiet = new Promise<undefined>((resolve) => {
      // A server that is late looks first at what has come meanwhile: a timer is due before that.
      const give = (): void => void setImmediate(() => resolve(undefined));
      arm = () => {
        timer = setTimeout(give, owes() ? OWED_MS : QUIET_MS);
      };
    });
    if (this.#isEnded) arm();
    else this.#wake.add(arm);
    try {
      return await Promise.race([next, quiet]);
    } finally {
      this.#wake.delete(arm);
      clearTimeout(timer);
    }
  }
}

interface DrainParts {
  readonly end: EndWatch;
  /** Whether more must come than was taken. */
  readonly owes: (takenBytes: number) => boolean;
  readonly take: (bytes: Uint8Array) => void | Promise<void>;
}

async function drain(
  stream: AsyncIterable<Uint8Array>,
  { end, owes, take }: DrainParts,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  let taken = 0;
  try {
    for (;;) {
      const next = await end.before(iterator.next(), () => owes(taken));
      if (next === undefined || next.done === true) return;
      await take(next.value);
      taken += next.value.length;
    }
  } finally {
    // Not waited for: it may be told only when the bytes come that we do not wait for.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
