import { defaultAction, signals } from "../abi/signals.ts";

/** What a process wants done with a signal: `catch` keeps it for sigtimedwait and interrupts waits. */
export type Disposition = "default" | "ignore" | "catch";

/** One process's dispositions, mask and pending signals. A signal is pending once, as POSIX has it. */
export class SignalState {
  readonly #dispositions = new Map<number, Disposition>();
  #blocked = new Set<number>();
  readonly #pending = new Set<number>();

  disposition(signal: number): Disposition {
    return this.#dispositions.get(signal) ?? "default";
  }

  setDisposition(signal: number, disposition: Disposition): void {
    if (disposition === "default") this.#dispositions.delete(signal);
    else this.#dispositions.set(signal, disposition);
    const isWithoutEffect = disposition === "default" && defaultAction(signal) === "ignore";
    if (disposition === "ignore" || isWithoutEffect) this.#pending.delete(signal);
  }

  get blocked(): ReadonlySet<number> {
    return this.#blocked;
  }

  setBlocked(blocked: Iterable<number>): void {
    this.#blocked = new Set(blocked);
    this.#blocked.delete(signals.SIGKILL);
    this.#blocked.delete(signals.SIGSTOP);
  }

  get pending(): ReadonlySet<number> {
    return this.#pending;
  }

  add(signal: number): void {
    this.#pending.add(signal);
  }

  remove(signal: number): void {
    this.#pending.delete(signal);
  }

  /** Takes the lowest pending signal of `wanted`; undefined when there is none. */
  take(wanted: ReadonlySet<number>): number | undefined {
    const found = [...this.#pending].filter((signal) => wanted.has(signal));
    if (found.length === 0) return undefined;
    const lowest = Math.min(...found);
    this.#pending.delete(lowest);
    return lowest;
  }

  /** Whether a caught signal waits to be looked at. */
  get hasCaught(): boolean {
    for (const signal of this.#pending) {
      if (!this.#blocked.has(signal) && this.disposition(signal) === "catch") return true;
    }
    return false;
  }

  /** A child's state: dispositions and mask are inherited, pending signals are not. */
  copy(): SignalState {
    const state = new SignalState();
    for (const [signal, disposition] of this.#dispositions) {
      state.#dispositions.set(signal, disposition);
    }
    state.#blocked = new Set(this.#blocked);
    return state;
  }

  /** exec(2): what was caught is default again, what was ignored stays so. */
  resetCaught(): void {
    for (const [signal, disposition] of [...this.#dispositions]) {
      if (disposition === "catch") this.#dispositions.delete(signal);
    }
  }
}
