/** What names mean at a place of a program, and where a run finds it. */
import type { Code, Frame } from "./machine.ts";
import type { Expression } from "./syntax.ts";

/** A function's own frame, as far as the compiler knows it. */
export class Level {
  readonly depth: number;
  #values = 0;
  #closures = 0;
  #labels = 0;

  constructor(parent: Level | undefined) {
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  addValue(): number {
    return this.#values++;
  }

  addClosure(): number {
    return this.#closures++;
  }

  addLabel(): number {
    return this.#labels++;
  }
}

/** A function that can be called. */
export interface Callable {
  readonly params: readonly string[];
  /** Where its frames hang: the level it is defined in. */
  readonly level: Level;
  /** Of its body; set once that is compiled. */
  code: Code | undefined;
}

export interface ClosureBinding {
  readonly kind: "closure";
  readonly level: Level;
  readonly slot: number;
}

export type Binding =
  | { readonly kind: "value"; readonly level: Level; readonly slot: number }
  | ClosureBinding
  | { readonly kind: "label"; readonly level: Level; readonly slot: number }
  | { readonly kind: "function"; readonly callable: Callable };

/** Names to bindings, the innermost first: `$x`, `f/1`, `*label`. */
export class Scope {
  readonly level: Level;
  readonly #parent: Scope | undefined;
  readonly #name: string;
  readonly #binding: Binding | undefined;

  constructor(level: Level, parent?: Scope, name = "", binding?: Binding) {
    this.level = level;
    this.#parent = parent;
    this.#name = name;
    this.#binding = binding;
  }

  with(name: string, binding: Binding): Scope {
    return new Scope(this.level, this, name, binding);
  }

  withVariable(name: string): { readonly scope: Scope; readonly slot: number } {
    const slot = this.level.addValue();
    return { scope: this.with(name, { kind: "value", level: this.level, slot }), slot };
  }

  /** The same names, for code that runs in frames of its own. */
  within(level: Level): Scope {
    return new Scope(level, this);
  }

  find(name: string): Binding | undefined {
    if (this.#name === name && this.#binding !== undefined) return this.#binding;
    for (let scope = this.#parent; scope !== undefined; scope = scope.#parent)
      if (scope.#name === name && scope.#binding !== undefined) return scope.#binding;
    return undefined;
  }
}

/** The frame of an outer level, from one of an inner level. */
export function frameAt(frame: Frame, hops: number): Frame {
  let found = frame;
  for (let left = hops; left > 0 && found.parent !== undefined; left--) found = found.parent;
  return found;
}

/** An argument that is just a parameter of the caller is passed on as it is. */
export function passedParam(argument: Expression, scope: Scope): ClosureBinding | undefined {
  if (argument.kind !== "call" || argument.args.length > 0) return undefined;
  const binding = scope.find(`${argument.name}/0`);
  return binding?.kind === "closure" ? binding : undefined;
}
