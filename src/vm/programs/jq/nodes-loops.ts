/** Compiled forms of `reduce`, `foreach`, `range`, `recurse` and paths. */
import { excerpt } from "./access.ts";
import { type Compiled, evaluate, fromCode } from "./compiled.ts";
import type { LinearUpdate } from "./linear-update.ts";
import { Continuation, Fork, type Frame, type Machine, type PathNode } from "./machine.ts";
import type { Binder } from "./nodes-bind.ts";
import type { Owned } from "./update.ts";
import { isArray, isNumber, isObject, JqError, numberOf, type Value } from "./value.ts";

interface Loop {
  readonly source: Compiled;
  readonly bind: Binder;
  readonly init: Compiled;
  readonly update: Compiled;
}

/** The state of one `reduce` or `foreach`. */
interface State {
  value: Value;
}

export function reduce(loop: Loop, linear: LinearUpdate | undefined): Compiled {
  const { source, bind, init, update } = loop;
  const { direct } = update;
  const step = (machine: Machine, frame: Frame, state: State, next: Continuation): void => {
    machine.value = state.value;
    state.value = null;
    if (direct === undefined || machine.path !== undefined)
      update.code(machine, frame, new Store(state, next));
    else state.value = direct(machine.value, frame, machine);
  };
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: init, next }, (start) => {
      const state = { value: start };
      const owned: Owned = new Set();
      machine.push(new Reduced(machine, state, next));
      const each =
        linear === undefined || machine.path !== undefined
          ? (): void => step(machine, frame, state, next)
          : (): void => {
              state.value = linear(state.value, frame, machine, owned);
            };
      source.code(machine, frame, new Bind(bind, frame, each, next));
    }),
  );
}

/** Takes a result apart, then goes on. */
class Bind extends Continuation {
  readonly #bind: Binder;
  readonly #frame: Frame;
  readonly #then: (machine: Machine) => void;
  readonly #next: Continuation;

  constructor(bind: Binder, frame: Frame, then: (machine: Machine) => void, next: Continuation) {
    super(next);
    this.#bind = bind;
    this.#frame = frame;
    this.#then = then;
    this.#next = next;
  }

  go(machine: Machine): void {
    this.#bind(machine, this.#frame, this.#next, this.#then);
  }
}

class Store extends Continuation {
  readonly #state: State;

  constructor(state: State, next: Continuation) {
    super(next);
    this.#state = state;
  }

  go(machine: Machine): void {
    this.#state.value = machine.value;
  }
}

class Reduced extends Fork {
  readonly #state: State;
  readonly #path: PathNode | undefined;
  readonly #next: Continuation;

  constructor(machine: Machine, state: State, next: Continuation) {
    super();
    this.#state = state;
    this.#path = machine.path;
    this.#next = next;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    machine.value = this.#state.value;
    machine.path = this.#path;
    this.#next.run(machine);
  }
}

export function foreach(loop: Loop, extract: Compiled): Compiled {
  const { source, bind, init, update } = loop;
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: init, next }, (start) => {
      const state = { value: start };
      const each = (): void => {
        machine.value = state.value;
        state.value = null;
        update.code(machine, frame, new StoreAndEmit(state, extract, frame, next));
      };
      source.code(machine, frame, new Bind(bind, frame, each, next));
    }),
  );
}

class StoreAndEmit extends Continuation {
  readonly #state: State;
  readonly #extract: Compiled;
  readonly #frame: Frame;
  readonly #next: Continuation;

  constructor(state: State, extract: Compiled, frame: Frame, next: Continuation) {
    super(next);
    this.#state = state;
    this.#extract = extract;
    this.#frame = frame;
    this.#next = next;
  }

  go(machine: Machine): void {
    this.#state.value = machine.value;
    this.#extract.code(machine, this.#frame, this.#next);
  }
}

/** `range(from; to; by)`. */
export function range(from: Compiled, to: Compiled, by: Compiled): Compiled {
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: from, next }, (first) =>
      evaluate(machine, frame, { compiled: to, next }, (last) =>
        evaluate(machine, frame, { compiled: by, next }, (step) => {
          if (!isNumber(first) || !isNumber(last) || !isNumber(step))
            throw new JqError("Range bounds must be numeric");
          const bounds = { at: numberOf(first), end: numberOf(last), step: numberOf(step) };
          machine.push(new Counting(bounds, machine.path, next));
        }),
      ),
    ),
  );
}

class Counting extends Fork {
  readonly #bounds: { at: number; readonly end: number; readonly step: number };
  readonly #path: PathNode | undefined;
  readonly #next: Continuation;

  constructor(
    bounds: { at: number; readonly end: number; readonly step: number },
    path: PathNode | undefined,
    next: Continuation,
  ) {
    super();
    this.#bounds = bounds;
    this.#path = path;
    this.#next = next;
  }

  resume(machine: Machine): void {
    const { at, end, step } = this.#bounds;
    if (!(step > 0 ? at < end : step < 0 && at > end)) {
      machine.forks.pop();
      return;
    }
    this.#bounds.at = at + step;
    machine.value = at;
    machine.path = this.#path;
    this.#next.run(machine);
  }
}

/** `..`: a value and all within it, the outer first. */
export const recurse: Compiled = fromCode((machine, _frame, next) => {
  const { value, path } = machine;
  machine.push(new Within([{ value, path }], next));
});

interface Place {
  readonly value: Value;
  readonly path: PathNode | undefined;
}

class Within extends Fork {
  readonly #places: Place[];
  readonly #next: Continuation;

  constructor(places: Place[], next: Continuation) {
    super();
    this.#places = places;
    this.#next = next;
  }

  resume(machine: Machine): void {
    const place = this.#places.pop();
    if (place === undefined) {
      machine.forks.pop();
      return;
    }
    const { value, path } = place;
    if (isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--)
        this.#places.push(placeIn(path, at, value[at] ?? null));
    } else if (isObject(value)) {
      for (const [key, item] of [...value].toReversed())
        this.#places.push(placeIn(path, key, item));
    }
    machine.value = value;
    machine.path = path;
    this.#next.run(machine);
  }
}

function placeIn(parent: PathNode | undefined, key: Value, value: Value): Place {
  return { value, path: parent === undefined ? undefined : { parent, key, value } };
}

/** `path(body)`. */
export function pathOf(body: Compiled): Compiled {
  return fromCode((machine, frame, next) => {
    const outer = machine.path;
    machine.path = { parent: undefined, key: null, value: machine.value };
    body.code(machine, frame, new EndPath(outer, next));
  });
}

class EndPath extends Continuation {
  readonly #outer: PathNode | undefined;
  readonly #next: Continuation;

  constructor(outer: PathNode | undefined, next: Continuation) {
    super(next);
    this.#outer = outer;
    this.#next = next;
  }

  go(machine: Machine): void {
    const { path } = machine;
    if (path === undefined || !Object.is(machine.value, path.value))
      throw new JqError(`Invalid path expression with result ${excerpt(machine.value, 30)}`);
    machine.value = pathArray(path);
    machine.path = this.#outer;
    this.#next.run(machine);
  }
}

export function pathArray(path: PathNode): Value[] {
  const keys: Value[] = [];
  for (let node = path; node.parent !== undefined; node = node.parent) keys.push(node.key);
  return keys.reverse();
}
