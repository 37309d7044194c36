import { findSignalName, findSignalNumber, signals } from "../../../kernel/index.ts";

/** `trap`'s table: a command for each signal and for EXIT, ERR, DEBUG and RETURN. */
export class Traps {
  readonly #commands: Map<string, string>;
  /** Kept for listing in a subshell that has not set its own. */
  readonly #inherited: ReadonlyMap<string, string>;

  constructor(
    commands: Iterable<readonly [string, string]> = [],
    inherited: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#commands = new Map(commands);
    this.#inherited = inherited;
  }

  /** The command for a condition; an empty one means that the signal is ignored. */
  get(condition: string): string | undefined {
    return this.#commands.get(condition);
  }

  set(condition: string, command: string): void {
    this.#commands.set(condition, command);
  }

  delete(condition: string): void {
    this.#commands.delete(condition);
  }

  /** Signals with a command, to be looked for between commands. */
  get caughtSignals(): number[] {
    const caught: number[] = [];
    for (const [condition, command] of this.#commands) {
      const signal = condition.startsWith("SIG") ? findSignalNumber(condition) : undefined;
      if (signal !== undefined && command !== "") caught.push(signal);
    }
    return caught;
  }

  /** Whether any signal has a command. */
  get isCatching(): boolean {
    for (const [condition, command] of this.#commands) {
      if (command !== "" && condition.startsWith("SIG")) return true;
    }
    return false;
  }

  /** In the order of `trap -p`. */
  list(): readonly (readonly [string, string])[] {
    const shown = new Map([...this.#inherited, ...this.#commands]);
    return [...shown].toSorted(([a], [b]) => order(a) - order(b));
  }

  /**
   * A subshell keeps what is ignored, and what an option hands on; it forgets the rest, but shows it
   * until it sets one.
   */
  forSubshell(options: { has(name: string): boolean }): Traps {
    const kept = [...this.#commands].filter(
      ([condition, command]) =>
        command === "" ||
        (condition === "ERR" && options.has("errtrace")) ||
        ((condition === "DEBUG" || condition === "RETURN") && options.has("functrace")),
    );
    return new Traps(kept, new Map([...this.#inherited, ...this.#commands]));
  }
}

/** `EXIT`, `SIGINT` or `ERR` for what a user writes: `0`, `int`, `2`, `SIGINT`; undefined when there is none. */
export function findCondition(text: string): string | undefined {
  const upper = text.toUpperCase();
  if (text === "0" || upper === "EXIT") return "EXIT";
  if (pseudo.includes(upper)) return upper;
  const signal = findSignalNumber(text);
  return signal === undefined ? undefined : findSignalName(signal);
}

const pseudo = ["DEBUG", "ERR", "RETURN"];

function order(condition: string): number {
  if (condition === "EXIT") return 0;
  const signal = new Map<string, number>(Object.entries(signals)).get(condition);
  return signal ?? 1000 + pseudo.indexOf(condition);
}
