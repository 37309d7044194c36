import {
  findSignalName,
  isKernelError,
  LAST_SIGNAL,
  type Sys,
  signals,
} from "../../../kernel/index.ts";

/** Those that stop a process or let it go on, that nobody can catch, or that say something else here. */
const kept: ReadonlySet<number> = new Set([
  signals.SIGKILL,
  signals.SIGSTOP,
  signals.SIGTSTP,
  signals.SIGTTIN,
  signals.SIGTTOU,
  signals.SIGCONT,
  signals.SIGCHLD,
  signals.SIGURG,
  signals.SIGPIPE,
  signals.SIGWINCH,
]);

/** Catches signals for the host and hands them on. */
export class ProcessSignals {
  readonly #sys: Sys;
  readonly #onSignal: (name: string) => void;
  readonly #caught = new Set<number>();
  #watch: Promise<void> | undefined;
  #listens = false;

  constructor(sys: Sys, onSignal: (name: string) => void) {
    this.#sys = sys;
    this.#onSignal = onSignal;
  }

  /** Fails with ProcessEnded when the process has ended. */
  async catchSize(): Promise<void> {
    await this.#catch(signals.SIGWINCH);
  }

  /** Those that would end the process. What it was started to ignore stays ignored. */
  async catchAll(): Promise<void> {
    if (this.#listens) return;
    this.#listens = true;
    for (let signal = 1; signal <= LAST_SIGNAL; signal++) {
      if (!kept.has(signal)) await this.#catch(signal);
    }
    await this.#catch(signals.SIGWINCH);
  }

  /** What ends the process when a reader has left, see SIGPIPE in signal(7): here the host is told instead. */
  async mutePipe(): Promise<"default" | "ignore" | "catch"> {
    return this.#sys.sigaction(signals.SIGPIPE, "ignore");
  }

  /** Dies of a signal; answers the status of a shell where the process lives on. */
  async die(signal: number): Promise<number> {
    try {
      if (signal !== signals.SIGKILL) await this.#sys.sigaction(signal, "default");
      await this.#sys.kill(await this.#sys.getpid(), signal);
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
    return 128 + signal;
  }

  async #catch(signal: number): Promise<void> {
    const before = await this.#sys.sigaction(signal, "catch");
    if (before === "ignore") {
      await this.#sys.sigaction(signal, "ignore");
      return;
    }
    this.#caught.add(signal);
    this.#watch ??= this.#hand();
    // It ends with the process.
    this.#watch.catch(() => undefined);
  }

  /** Takes signals at once: while one waits, every other call of the process fails with EINTR. */
  async #hand(): Promise<void> {
    for (;;) {
      try {
        const signal = await this.#sys.sigtimedwait([...this.#caught]);
        const name = signal === undefined ? undefined : findSignalName(signal);
        if (name !== undefined) this.#onSignal(name);
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  }
}
