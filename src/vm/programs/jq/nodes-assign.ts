/** Compiled forms of `=`, `|=` and the operators with `=`. */
import { getPath } from "./access.ts";
import { type Compiled, evaluate, fromCode } from "./compiled.ts";
import {
  type Code,
  Continuation,
  Fork,
  type Frame,
  type Machine,
  type PathNode,
} from "./machine.ts";
import { collect } from "./nodes-apply.ts";
import { pathOf } from "./nodes-loops.ts";
import { deletePaths, type Owned, setPath } from "./update.ts";
import { isArray, type Value } from "./value.ts";

/** `left = right`. */
export function assign(left: Compiled, right: Compiled): Compiled {
  const paths = collect(pathOf(left));
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: right, next }, (to) =>
      evaluate(machine, frame, { compiled: paths, next }, (found) => {
        const owned: Owned = new Set();
        for (const path of isArray(found) ? found : [])
          machine.value = setPath(machine.value, path, to, owned);
        next.run(machine);
      }),
    ),
  );
}

/** `left |= update`: the first result each, none deletes. */
export function modify(left: Compiled, update: Compiled): Compiled {
  const paths = collect(pathOf(left));
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: paths, next }, (found) => {
      const list = isArray(found) ? found : [];
      new Modify({ paths: list, update: update.code, frame, next }, machine).go(machine);
    }),
  );
}

/** `left op= right`: for each right, all of left. */
export function modifyWith(
  left: Compiled,
  right: Compiled,
  compute: (old: Value, given: Value) => Value,
): Compiled {
  const paths = collect(pathOf(left));
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: right, next }, (given) =>
      evaluate(machine, frame, { compiled: paths, next }, (found) => {
        const owned: Owned = new Set();
        let { value } = machine;
        for (const path of isArray(found) ? found : []) {
          const old = getPath(value, path);
          if (owned.has(old)) owned.clear();
          value = setPath(value, path, compute(old, given), owned);
        }
        machine.value = value;
        next.run(machine);
      }),
    ),
  );
}

interface Modification {
  readonly paths: readonly Value[];
  readonly update: Code;
  readonly frame: Frame;
  readonly next: Continuation;
}

class Modify extends Continuation {
  readonly #work: Modification;
  readonly #path: PathNode | undefined;
  readonly #deleted: Value[] = [];
  readonly #owned: Owned = new Set();
  #value: Value;
  #at = 0;

  constructor(work: Modification, machine: Machine) {
    super(work.next);
    this.#work = work;
    this.#value = machine.value;
    this.#path = machine.path;
  }

  go(machine: Machine): void {
    const { paths, update, frame, next } = this.#work;
    const path = paths[this.#at];
    if (path === undefined) {
      machine.value =
        this.#deleted.length === 0 ? this.#value : deletePaths(this.#value, this.#deleted);
      machine.path = this.#path;
      next.run(machine);
      return;
    }
    const old = getPath(this.#value, path);
    if (this.#owned.has(old)) this.#owned.clear();
    const mark = machine.forks.length;
    machine.push(new Nothing(() => this.#delete(machine, path)));
    machine.value = old;
    machine.path = undefined;
    update(machine, frame, new FirstResult(this, () => this.#set(machine, path, mark)));
  }

  #set(machine: Machine, path: Value, mark: number): void {
    machine.forks.length = mark;
    this.#value = setPath(this.#value, path, machine.value, this.#owned);
    this.#at += 1;
    this.run(machine);
  }

  #delete(machine: Machine, path: Value): void {
    this.#deleted.push(path);
    this.#at += 1;
    this.run(machine);
  }
}

class FirstResult extends Continuation {
  readonly #then: () => void;

  constructor(next: Continuation, then: () => void) {
    super(next);
    this.#then = then;
  }

  go(): void {
    this.#then();
  }
}

/** Reached when an update has had no result. */
class Nothing extends Fork {
  readonly #then: () => void;

  constructor(then: () => void) {
    super();
    this.#then = then;
  }

  resume(machine: Machine): void {
    machine.forks.pop();
    this.#then();
  }
}
