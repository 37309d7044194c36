/** Compiled forms of values, fields, iteration, `|` and `,`. */
import { excerpt, getIndex, getSlice, sliceKey } from "./access.ts";
import { type Compiled, evaluate, fromCode, fromDirect, withDirect } from "./compiled.ts";
import {
  type Code,
  Continuation,
  Fork,
  type Frame,
  type Machine,
  type PathNode,
  Resume,
} from "./machine.ts";
import { isArray, isObject, JqError, typeOf, type Value } from "./value.ts";

export const identity: Compiled = withDirect(
  (value) => value,
  (machine, _frame, next) => next.run(machine),
);

export function constant(value: Value): Compiled {
  return fromDirect(() => value);
}

export function pipe(left: Compiled, right: Compiled): Compiled {
  const first = left.direct;
  const second = right.direct;
  const code: Code = (machine, frame, next) =>
    left.code(machine, frame, new Resume(right.code, frame, next));
  if (first === undefined) return fromCode(code);
  if (second !== undefined) {
    return withDirect(
      (value, frame, machine) => second(first(value, frame, machine), frame, machine),
      code,
    );
  }
  return fromCode((machine, frame, next) => {
    if (machine.path !== undefined) {
      code(machine, frame, next);
      return;
    }
    machine.value = first(machine.value, frame, machine);
    right.code(machine, frame, next);
  });
}

export function comma(left: Compiled, right: Compiled): Compiled {
  return fromCode((machine, frame, next) => {
    machine.push(new Later(machine, right.code, frame, next));
    left.code(machine, frame, next);
  });
}

/** Runs code on what the machine had when this was made. */
export class Later extends Fork {
  readonly #value: Value;
  readonly #path: PathNode | undefined;
  readonly #code: Code;
  readonly #frame: Frame;
  readonly #next: Continuation;

  constructor(machine: Machine, code: Code, frame: Frame, next: Continuation) {
    super();
    this.#value = machine.value;
    this.#path = machine.path;
    this.#code = code;
    this.#frame = frame;
    this.#next = next;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    machine.value = this.#value;
    machine.path = this.#path;
    this.#code(machine, this.#frame, this.#next);
  }
}

/** Refuses to go on from a value that is not where the path leads. */
function checkPath(machine: Machine, path: PathNode, what: (value: Value) => string): void {
  if (!Object.is(machine.value, path.value))
    throw new JqError(`Invalid path expression ${what(machine.value)}`);
}

/** Goes to a part of the current value. */
export function stepInto(machine: Machine, key: Value): void {
  const { path } = machine;
  if (path === undefined) {
    machine.value = getIndex(machine.value, key);
    return;
  }
  checkPath(
    machine,
    path,
    (value) => `near attempt to access element ${excerpt(key)} of ${excerpt(value, 30)}`,
  );
  const value = getIndex(machine.value, key);
  machine.value = value;
  machine.path = { parent: path, key, value };
}

export function field(target: Compiled, key: Compiled): Compiled {
  const code: Code = (machine, frame, next) =>
    evaluate(machine, frame, { compiled: key, next }, (at) => {
      if (target === identity) {
        stepInto(machine, at);
        next.run(machine);
      } else target.code(machine, frame, new StepInto(at, next));
    });
  const { direct: of } = target;
  const { direct: by } = key;
  if (of === undefined || by === undefined) return fromCode(code);
  return withDirect(
    (value, frame, machine) => getIndex(of(value, frame, machine), by(value, frame, machine)),
    code,
  );
}

/** `.name`, the most usual of all. */
export function namedField(target: Compiled, name: string): Compiled {
  const { direct: of } = target;
  const code: Code = (machine, frame, next) => {
    if (target === identity) {
      stepInto(machine, name);
      next.run(machine);
    } else target.code(machine, frame, new StepInto(name, next));
  };
  if (of === undefined) return fromCode(code);
  return withDirect((value, frame, machine) => {
    const object = of(value, frame, machine);
    return object instanceof Map ? (object.get(name) ?? null) : getIndex(object, name);
  }, code);
}

class StepInto extends Continuation {
  readonly #key: Value;
  readonly #next: Continuation;

  constructor(key: Value, next: Continuation) {
    super(next);
    this.#key = key;
    this.#next = next;
  }

  go(machine: Machine): void {
    stepInto(machine, this.#key);
    this.#next.run(machine);
  }
}

export function slice(target: Compiled, from: Compiled, to: Compiled): Compiled {
  const code: Code = (machine, frame, next) =>
    evaluate(machine, frame, { compiled: from, next }, (start) =>
      evaluate(machine, frame, { compiled: to, next }, (end) =>
        target.code(machine, frame, new StepInto(sliceKey(start, end), next)),
      ),
    );
  const { direct: of } = target;
  const { direct: first } = from;
  const { direct: last } = to;
  if (of === undefined || first === undefined || last === undefined) return fromCode(code);
  return withDirect((value, frame, machine) => {
    const start = first(value, frame, machine);
    const end = last(value, frame, machine);
    return getSlice(of(value, frame, machine), start, end);
  }, code);
}

export function each(target: Compiled): Compiled {
  if (target === identity) return fromCode((machine, _frame, next) => iterate(machine, next));
  return fromCode((machine, frame, next) => target.code(machine, frame, new Iterate(next)));
}

class Iterate extends Continuation {
  readonly #next: Continuation;

  constructor(next: Continuation) {
    super(next);
    this.#next = next;
  }

  go(machine: Machine): void {
    iterate(machine, this.#next);
  }
}

function iterate(machine: Machine, next: Continuation): void {
  const { value, path } = machine;
  if (path !== undefined)
    checkPath(machine, path, (one) => `near attempt to iterate through ${excerpt(one, 30)}`);
  if (isArray(value)) {
    if (value.length > 0) machine.push(new EachItem(value, path, next));
  } else if (isObject(value)) {
    if (value.size > 0) machine.push(new EachEntry(value, path, next));
  } else {
    throw new JqError(`Cannot iterate over ${typeOf(value)} (${excerpt(value)})`);
  }
}

class EachItem extends Fork {
  readonly #items: readonly Value[];
  readonly #path: PathNode | undefined;
  readonly #next: Continuation;
  #at = 0;

  constructor(items: readonly Value[], path: PathNode | undefined, next: Continuation) {
    super();
    this.#items = items;
    this.#path = path;
    this.#next = next;
  }

  resume(machine: Machine): void {
    const key = this.#at++;
    if (this.#at >= this.#items.length) machine.forks.pop();
    const value = this.#items[key] ?? null;
    machine.value = value;
    machine.path = this.#path === undefined ? undefined : { parent: this.#path, key, value };
    this.#next.run(machine);
  }
}

class EachEntry extends Fork {
  readonly #entries: Iterator<readonly [string, Value]>;
  readonly #path: PathNode | undefined;
  readonly #next: Continuation;
  #left: number;

  constructor(object: ReadonlyMap<string, Value>, path: PathNode | undefined, next: Continuation) {
    super();
    this.#entries = object[Symbol.iterator]();
    this.#left = object.size;
    this.#path = path;
    this.#next = next;
  }

  resume(machine: Machine): void {
    this.#left -= 1;
    if (this.#left <= 0) machine.forks.pop();
    const entry = this.#entries.next();
    if (entry.done === true) return;
    const [key, value] = entry.value;
    machine.value = value;
    machine.path = this.#path === undefined ? undefined : { parent: this.#path, key, value };
    this.#next.run(machine);
  }
}
