/** Compiled forms of conditions, `try`, `//`, labels and cuts. */
import { type Compiled, evaluate, fromCode, fromDirect, withDirect } from "./compiled.ts";
import {
  BreakError,
  type Code,
  Continuation,
  Fork,
  type Frame,
  Label,
  type Machine,
  type PathNode,
} from "./machine.ts";
import { isTrue, JqError, type Value } from "./value.ts";

export function conditional(condition: Compiled, then: Compiled, otherwise: Compiled): Compiled {
  const { direct: test } = condition;
  if (test === undefined) {
    return fromCode((machine, frame, next) =>
      evaluate(machine, frame, { compiled: condition, next }, (result) =>
        (isTrue(result) ? then : otherwise).code(machine, frame, next),
      ),
    );
  }
  const code: Code = (machine, frame, next) =>
    (isTrue(test(machine.value, frame, machine)) ? then : otherwise).code(machine, frame, next);
  const { direct: one } = then;
  const { direct: other } = otherwise;
  if (one === undefined || other === undefined) return fromCode(code);
  return withDirect(
    (value, frame, machine) =>
      (isTrue(test(value, frame, machine)) ? one : other)(value, frame, machine),
    code,
  );
}

/** `and`, `or`. */
export function logical(operator: "and" | "or", left: Compiled, right: Compiled): Compiled {
  const decides = operator === "or";
  const { direct: one } = left;
  const { direct: other } = right;
  if (one !== undefined && other !== undefined) {
    return fromDirect((value, frame, machine) =>
      isTrue(one(value, frame, machine)) === decides
        ? decides
        : isTrue(other(value, frame, machine)),
    );
  }
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: left, next }, (first) => {
      if (isTrue(first) === decides) {
        machine.value = decides;
        next.run(machine);
        return;
      }
      evaluate(machine, frame, { compiled: right, next }, (second) => {
        machine.value = isTrue(second);
        next.run(machine);
      });
    }),
  );
}

/** `left // right`: all of left that is true, or else right. */
export function alternative(left: Compiled, right: Compiled): Compiled {
  const { direct: one } = left;
  const { direct: other } = right;
  const code: Code = (machine, frame, next) => {
    const fork = new Alternative(machine, right.code, frame, next);
    machine.push(fork);
    left.code(machine, frame, new Found(fork, next));
  };
  if (one === undefined || other === undefined) return fromCode(code);
  return withDirect((value, frame, machine) => {
    const found = findValue(() => one(value, frame, machine));
    return isTrue(found) ? found : other(value, frame, machine);
  }, code);
}

function findValue(compute: () => Value): Value {
  try {
    return compute();
  } catch (error) {
    if (error instanceof JqError) return null;
    throw error;
  }
}

class Alternative extends Fork {
  isFound = false;
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
    if (this.isFound) return;
    machine.value = this.#value;
    machine.path = this.#path;
    this.#code(machine, this.#frame, this.#next);
  }

  override catches(machine: Machine, error: JqError | BreakError): boolean {
    if (error instanceof BreakError || this.isFound) return false;
    machine.push(this);
    return true;
  }
}

class Found extends Continuation {
  readonly #fork: Alternative;
  readonly #next: Continuation;

  constructor(fork: Alternative, next: Continuation) {
    super(next);
    this.#fork = fork;
    this.#next = next;
  }

  go(machine: Machine): void {
    if (!isTrue(machine.value)) return;
    this.#fork.isFound = true;
    if (machine.forks.at(-1) === this.#fork) machine.forks.pop();
    this.#next.run(machine);
  }
}

/** `try body catch handler`; without a handler errors just end it. */
export function attempt(body: Compiled, handler: Compiled | undefined): Compiled {
  return fromCode((machine, frame, next) => {
    const fork = new Attempt(machine, handler?.code, frame, next);
    machine.push(fork);
    body.code(machine, frame, new Leave(fork, next));
  });
}

class Attempt extends Fork {
  readonly #path: PathNode | undefined;
  readonly #handler: Code | undefined;
  readonly #frame: Frame;
  readonly #next: Continuation;

  constructor(machine: Machine, handler: Code | undefined, frame: Frame, next: Continuation) {
    super();
    this.#path = machine.path;
    this.#handler = handler;
    this.#frame = frame;
    this.#next = next;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
  }

  override catches(machine: Machine, error: JqError | BreakError): boolean {
    if (error instanceof BreakError) return false;
    const handler = this.#handler;
    if (handler === undefined) return true;
    machine.value = error.value;
    machine.path = this.#path;
    machine.push(new Handle(handler, this.#frame, this.#next, error.value));
    return true;
  }
}

/** Runs the handler from the loop, where its own errors are another's. */
class Handle extends Fork {
  readonly #handler: Code;
  readonly #frame: Frame;
  readonly #next: Continuation;
  readonly #value: Value;

  constructor(handler: Code, frame: Frame, next: Continuation, value: Value) {
    super();
    this.#handler = handler;
    this.#frame = frame;
    this.#next = next;
    this.#value = value;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    machine.value = this.#value;
    this.#handler(machine, this.#frame, this.#next);
  }
}

/** Leaves a `try`: what follows is not within it. */
class Leave extends Continuation {
  readonly #attempt: Attempt;
  readonly #next: Continuation;

  constructor(from: Attempt, next: Continuation) {
    super(next);
    this.#attempt = from;
    this.#next = next;
  }

  go(machine: Machine): void {
    if (machine.forks.at(-1) === this.#attempt) machine.forks.pop();
    else machine.push(new Left(this.#attempt));
    this.#next.run(machine);
  }
}

/** Errors that come past here are none of the `try`'s that was left. */
class Left extends Fork {
  readonly #attempt: Attempt;

  constructor(from: Attempt) {
    super();
    this.#attempt = from;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
  }

  override catches(machine: Machine): boolean {
    while (machine.forks.length > 0 && machine.forks.at(-1) !== this.#attempt) machine.forks.pop();
    machine.forks.pop();
    return false;
  }
}

export function labeled(slot: number, body: Compiled): Compiled {
  return fromCode((machine, frame, next) => {
    const label = new Label();
    frame.labels[slot] = label;
    machine.push(label);
    body.code(machine, frame, next);
  });
}

export function breakTo(find: (frame: Frame) => Label | undefined): Compiled {
  return fromCode((_machine, frame) => {
    const label = find(frame);
    throw label === undefined ? new JqError("break") : new BreakError(label);
  });
}

/** The first `count` results of a body, without asking for more. */
export function limited(count: Compiled, body: Compiled): Compiled {
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: count, next }, (limit) => {
      const left = typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
      if (left > 0) body.code(machine, frame, new Limit(machine.forks.length, left, next));
      else if (left < 0) body.code(machine, frame, next);
    }),
  );
}

class Limit extends Continuation {
  readonly #mark: number;
  readonly #next: Continuation;
  #left: number;

  constructor(mark: number, left: number, next: Continuation) {
    super(next);
    this.#mark = mark;
    this.#left = left;
    this.#next = next;
  }

  go(machine: Machine): void {
    this.#left -= 1;
    if (this.#left <= 0) machine.forks.length = this.#mark;
    this.#next.run(machine);
  }
}
