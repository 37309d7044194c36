import {
  type Code,
  Continuation,
  type Direct,
  type Frame,
  type Machine,
  type PathNode,
} from "./machine.ts";
import type { Value } from "./value.ts";

/** An expression, compiled. */
export interface Compiled {
  /** Works for any expression, and follows paths. */
  readonly code: Code;
  /** Where there is exactly one result: the faster way while no path is followed. */
  readonly direct: Direct | undefined;
}

/** An expression that leads nowhere a path could follow. */
export function fromDirect(direct: Direct): Compiled {
  const code: Code = (machine, frame, next) => {
    machine.value = direct(machine.value, frame, machine);
    next.run(machine);
  };
  return { code, direct };
}

/** An expression with a way for paths and a shorter one without. */
export function withDirect(direct: Direct, code: Code): Compiled {
  const either: Code = (machine, frame, next) => {
    if (machine.path !== undefined) {
      code(machine, frame, next);
      return;
    }
    machine.value = direct(machine.value, frame, machine);
    next.run(machine);
  };
  return { code: either, direct };
}

export function fromCode(code: Code): Compiled {
  return { code, direct: undefined };
}

/**
 * Runs an expression beside the main way, as an argument or a condition: `then` gets each result
 * while the machine's own value and path are as before.
 */
export function evaluate(
  machine: Machine,
  frame: Frame,
  part: { readonly compiled: Compiled; readonly next: Continuation },
  then: (result: Value) => void,
): void {
  const { direct, code } = part.compiled;
  if (direct !== undefined) {
    then(direct(machine.value, frame, machine));
    return;
  }
  const beside = new Beside(machine, part.next, then);
  machine.path = undefined;
  code(machine, frame, beside);
}

class Beside extends Continuation {
  readonly #value: Value;
  readonly #path: PathNode | undefined;
  readonly #then: (result: Value) => void;

  constructor(machine: Machine, next: Continuation, then: (result: Value) => void) {
    super(next);
    this.#value = machine.value;
    this.#path = machine.path;
    this.#then = then;
  }

  go(machine: Machine): void {
    const result = machine.value;
    machine.value = this.#value;
    machine.path = this.#path;
    this.#then(result);
  }
}

/** All of the parts, the last one changing slowest. */
export function evaluateAll(
  machine: Machine,
  frame: Frame,
  part: { readonly compiled: readonly Compiled[]; readonly next: Continuation },
  then: (results: readonly Value[]) => void,
): void {
  const { compiled, next } = part;
  const collect = (at: number, results: readonly Value[]): void => {
    const one = compiled[at];
    if (one === undefined) then(results);
    else {
      evaluate(machine, frame, { compiled: one, next }, (result) =>
        collect(at - 1, [result, ...results]),
      );
    }
  };
  collect(compiled.length - 1, []);
}
