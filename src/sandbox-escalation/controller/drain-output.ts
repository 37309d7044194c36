import type { ProcessEnd, SandboxProcess } from "../provider.ts";

export interface OutputTaker {
  out(bytes: Uint8Array): void | Promise<void>;
  error(bytes: Uint8Array): void | Promise<void>;
}

/** What an ended process has written arrives in that time; what it left running may hold its output for ever. */
const QUIET_MS = 150;

/** Takes all that a process writes, as fast as it is taken, and answers how it ended. Fails with what a taker throws. */
export async function drainOutput(process: SandboxProcess, take: OutputTaker): Promise<ProcessEnd> {
  const end = new EndWatch(process.ended);
  const [, , ended] = await Promise.all([
    drain(process.output, end, (bytes) => take.out(bytes)),
    drain(process.errors, end, (bytes) => take.error(bytes)),
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

  /** Undefined when the process is over and nothing comes. */
  async before<T>(next: Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let arm = (): void => undefined;
    const quiet = new Promise<undefined>((resolve) => {
      arm = () => {
        timer = setTimeout(() => resolve(undefined), QUIET_MS);
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

async function drain(
  stream: AsyncIterable<Uint8Array>,
  end: EndWatch,
  take: (bytes: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await end.before(iterator.next());
      if (next === undefined || next.done === true) return;
      await take(next.value);
    }
  } finally {
    // Not waited for: it may be told only when the bytes come that we do not wait for.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
