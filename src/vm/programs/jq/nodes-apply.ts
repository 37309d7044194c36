/** Compiled forms of arrays, functions of values, and operators. */
import { type Compiled, evaluate, evaluateAll, fromCode, fromDirect } from "./compiled.ts";
import { Continuation, Fork, type Machine, type PathNode } from "./machine.ts";
import { checkSize, type Value } from "./value.ts";

/** `[body]`. */
export function collect(body: Compiled): Compiled {
  const { direct } = body;
  if (direct !== undefined)
    return fromDirect((value, frame, machine) => [direct(value, frame, machine)]);
  return fromCode((machine, frame, next) => {
    const items: Value[] = [];
    machine.push(new Collected(machine, items, next));
    machine.path = undefined;
    body.code(machine, frame, new Collect(items, next));
  });
}

class Collect extends Continuation {
  readonly #items: Value[];

  constructor(items: Value[], next: Continuation) {
    super(next);
    this.#items = items;
  }

  override run(machine: Machine): void {
    this.go(machine);
  }

  go(machine: Machine): void {
    checkSize(this.#items.push(machine.value));
  }
}

class Collected extends Fork {
  readonly #items: Value[];
  readonly #path: PathNode | undefined;
  readonly #next: Continuation;

  constructor(machine: Machine, items: Value[], next: Continuation) {
    super();
    this.#items = items;
    this.#path = machine.path;
    this.#next = next;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    machine.value = this.#items;
    machine.path = this.#path;
    this.#next.run(machine);
  }
}

/** A function of its arguments' values alone. */
export function apply(
  args: readonly Compiled[],
  compute: (input: Value, args: readonly Value[]) => Value,
): Compiled {
  const directs = args.map(({ direct }) => direct).filter((direct) => direct !== undefined);
  const [first, second] = directs;
  if (directs.length < args.length) {
    return fromCode((machine, frame, next) =>
      evaluateAll(machine, frame, { compiled: args, next }, (results) => {
        machine.value = compute(machine.value, results);
        next.run(machine);
      }),
    );
  }
  if (first === undefined) return fromDirect((value) => compute(value, []));
  if (second === undefined)
    return fromDirect((value, frame, machine) => compute(value, [first(value, frame, machine)]));
  return fromDirect((value, frame, machine) =>
    compute(
      value,
      directs.map((direct) => direct(value, frame, machine)),
    ),
  );
}

/** A binary operator: the right side changes slowest. */
export function binary(
  left: Compiled,
  right: Compiled,
  compute: (left: Value, right: Value) => Value,
): Compiled {
  const { direct: one } = left;
  const { direct: other } = right;
  if (one !== undefined && other !== undefined) {
    return fromDirect((value, frame, machine) => {
      const second = other(value, frame, machine);
      return compute(one(value, frame, machine), second);
    });
  }
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: right, next }, (second) =>
      evaluate(machine, frame, { compiled: left, next }, (first) => {
        machine.value = compute(first, second);
        next.run(machine);
      }),
    ),
  );
}
