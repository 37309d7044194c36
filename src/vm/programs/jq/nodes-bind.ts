/** Taking values apart into variables. */
import { getIndex } from "./access.ts";
import { type Compiled, evaluate, fromCode } from "./compiled.ts";
import {
  BreakError,
  type Continuation,
  Fork,
  type Frame,
  type Machine,
  type PathNode,
} from "./machine.ts";
import type { JqError, Value } from "./value.ts";

/** Sets variables from `machine.value`, and calls `then` for each way to do so. */
export type Binder = (
  machine: Machine,
  frame: Frame,
  next: Continuation,
  then: (machine: Machine) => void,
) => void;

export function bindName(slot: number): Binder {
  return (machine, frame, _next, then) => {
    frame.values[slot] = machine.value;
    then(machine);
  };
}

/** Binds parts, one after another, each found by its key in the same value. */
export function bindParts(
  parts: readonly { readonly key: Compiled; readonly bind: Binder }[],
): Binder {
  const bindFrom = (at: number, ...[machine, frame, next, then]: Parameters<Binder>): void => {
    const part = parts[at];
    if (part === undefined) {
      then(machine);
      return;
    }
    const whole = machine.value;
    evaluate(machine, frame, { compiled: part.key, next }, (key) => {
      machine.value = getIndex(whole, key);
      part.bind(machine, frame, next, () => {
        machine.value = whole;
        bindFrom(at + 1, machine, frame, next, then);
      });
    });
  };
  return (...args) => bindFrom(0, ...args);
}

/** Both, on the same value. */
export function bindBoth(first: Binder, second: Binder): Binder {
  return (machine, frame, next, then) => {
    const { value } = machine;
    first(machine, frame, next, () => {
      machine.value = value;
      second(machine, frame, next, then);
    });
  };
}

/** Tries each of several patterns: an error in what follows takes the next one. */
export function bindFirst(binders: readonly Binder[], slots: readonly number[]): Binder {
  const [only] = binders;
  if (only !== undefined && binders.length === 1) return only;
  const bindFrom = (at: number, ...[machine, frame, next, then]: Parameters<Binder>): void => {
    const bind = binders[at];
    if (bind === undefined) return;
    for (const slot of slots) frame.values[slot] = null;
    if (at + 1 < binders.length) {
      const { value } = machine;
      const again = (): void => {
        machine.value = value;
        bindFrom(at + 1, machine, frame, next, then);
      };
      machine.push(new NextPattern(machine, again));
    }
    bind(machine, frame, next, then);
  };
  return (...args) => bindFrom(0, ...args);
}

class NextPattern extends Fork {
  readonly #path: PathNode | undefined;
  readonly #again: () => void;
  #isChosen = false;

  constructor(machine: Machine, again: () => void) {
    super();
    this.#path = machine.path;
    this.#again = again;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    if (!this.#isChosen) return;
    machine.path = this.#path;
    this.#again();
  }

  override catches(machine: Machine, error: JqError | BreakError): boolean {
    if (error instanceof BreakError) return false;
    this.#isChosen = true;
    machine.push(this);
    return true;
  }
}

/** `source as pattern | body`. */
export function bindTo(source: Compiled, bind: Binder, body: Compiled): Compiled {
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: source, next }, (result) => {
      const { value, path } = machine;
      machine.value = result;
      machine.path = undefined;
      bind(machine, frame, next, () => {
        machine.value = value;
        machine.path = path;
        body.code(machine, frame, next);
      });
    }),
  );
}

/** `$name` over a single value: nothing to come back to. */
export function bindVariable(source: Compiled, slot: number, body: Compiled): Compiled {
  const { direct: of } = source;
  const { direct } = body;
  if (of === undefined) return bindTo(source, bindName(slot), body);
  return {
    code: (machine, frame, next) => {
      frame.values[slot] = of(machine.value, frame, machine);
      body.code(machine, frame, next);
    },
    direct:
      direct === undefined
        ? undefined
        : (value: Value, frame, machine) => {
            frame.values[slot] = of(value, frame, machine);
            return direct(value, frame, machine);
          },
  };
}
