import { ShellError } from "./shell-error.ts";
import { requireWordRoom } from "./word-limit.ts";

/** What a variable holds; undefined is declared but unset. */
export type VariableValue = string | IndexedArray | AssociativeArray | undefined;

/** Elements by index, in no order. */
export class IndexedArray {
  readonly elements: Map<number, string>;

  constructor(elements: Iterable<readonly [number, string]> = []) {
    this.elements = new Map(elements);
  }

  get keys(): number[] {
    return [...this.elements.keys()].toSorted((a, b) => a - b);
  }

  get values(): string[] {
    return this.keys.map((key) => this.elements.get(key) ?? "");
  }

  /** One past the highest index. */
  get end(): number {
    let end = 0;
    for (const key of this.elements.keys()) if (key >= end) end = key + 1;
    return end;
  }
}

export class AssociativeArray {
  readonly elements: Map<string, string>;

  constructor(elements: Iterable<readonly [string, string]> = []) {
    this.elements = new Map(elements);
  }

  get keys(): string[] {
    return [...this.elements.keys()];
  }

  get values(): string[] {
    return [...this.elements.values()];
  }
}

/** A name's value and its attributes. Objects are shared between nobody: a subshell copies them. */
export interface Variable {
  value: VariableValue;
  isExported: boolean;
  isReadonly: boolean;
  isInteger: boolean;
  isReference: boolean;
  fold: "none" | "lower" | "upper";
}

type Scope = Map<string, Variable>;

/** A function's scope holds its locals; a command's the assignments before it. */
type ScopeKind = "function" | "command";

/** How many namerefs are followed before it is a circle. */
const REFERENCE_LIMIT = 8;

/**
 * The shell's variables: a global scope, and one more for each function call and each command with
 * assignments before it. A name is looked for from the innermost scope outwards (dynamic scope).
 */
export class Variables {
  readonly #scopes: Scope[];
  readonly #kinds: ScopeKind[] = ["function"];
  /** The exported variables as an environment; undefined when something has changed. */
  #environment: ReadonlyMap<string, string> | undefined;

  constructor(environment: ReadonlyMap<string, string> = new Map()) {
    const scope: Scope = new Map();
    for (const [name, value] of environment) {
      if (isName(name)) scope.set(name, { ...newVariable(value), isExported: true });
    }
    this.#scopes = [scope];
  }

  find(name: string): Variable | undefined {
    return this.#lookup(this.resolve(name));
  }

  /** The variable itself, when it is a nameref. */
  findUnresolved(name: string): Variable | undefined {
    return this.#lookup(name);
  }

  findLocal(name: string): Variable | undefined {
    return this.#functionScope().get(name);
  }

  /** The name at the end of a chain of namerefs. */
  resolve(name: string): string {
    let at = name;
    for (let step = 0; step < REFERENCE_LIMIT; step++) {
      const variable = this.#lookup(at);
      if (variable === undefined || !variable.isReference) return at;
      if (typeof variable.value !== "string" || variable.value === "") return at;
      at = variable.value;
    }
    return at;
  }

  /** The scalar value; for an array its element 0. */
  get(name: string): string | undefined {
    const value = this.find(name)?.value;
    if (value === undefined || typeof value === "string") return value;
    return value instanceof IndexedArray ? value.elements.get(0) : value.elements.get("0");
  }

  /** Sets the scalar value where the name is found, else globally. Fails on a readonly one. */
  set(name: string, value: string): void {
    const variable = this.ensure(name);
    requireWritable(name, variable);
    requireWordRoom(value.length);
    const folded = foldCase(variable, value);
    if (variable.value instanceof IndexedArray) variable.value.elements.set(0, folded);
    else if (variable.value instanceof AssociativeArray) variable.value.elements.set("0", folded);
    else variable.value = folded;
    this.changed();
  }

  /** The variable of this name, made in the global scope where there is none. */
  ensure(name: string): Variable {
    const resolved = this.resolve(name);
    const found = this.#lookup(resolved);
    if (found !== undefined) return found;
    const made = newVariable(undefined);
    this.#scopes[0]?.set(resolved, made);
    return made;
  }

  /** The variable of this name in the scope of the innermost function, made there where there is none. */
  ensureLocal(name: string): Variable {
    return ensureIn(this.#functionScope(), name);
  }

  /** The variable of this name in the innermost scope of any kind. */
  ensureInnermost(name: string): Variable {
    return ensureIn(this.#scopes.at(-1) ?? new Map(), name);
  }

  /** Takes the innermost one away. Fails on a readonly one. */
  unset(name: string): void {
    const local = this.#functionScope();
    for (const scope of this.#scopes.toReversed()) {
      const variable = scope.get(name);
      if (variable === undefined) continue;
      if (variable.isReadonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
      if (scope === local && scope !== this.#scopes[0]) scope.set(name, newVariable(undefined));
      else scope.delete(name);
      this.changed();
      return;
    }
  }

  pushScope(kind: ScopeKind): void {
    this.#scopes.push(new Map());
    this.#kinds.push(kind);
  }

  popScope(): void {
    this.#scopes.pop();
    this.#kinds.pop();
    this.changed();
  }

  /** All names that can be seen, sorted. */
  names(): string[] {
    const names = new Set<string>();
    for (const scope of this.#scopes) for (const name of scope.keys()) names.add(name);
    return [...names].toSorted();
  }

  localNames(): string[] {
    return [...this.#functionScope().keys()].toSorted();
  }

  /** To be called after a variable's value or attributes were changed from outside. */
  changed(): void {
    this.#environment = undefined;
  }

  environment(): ReadonlyMap<string, string> {
    if (this.#environment !== undefined) return this.#environment;
    const environment = new Map<string, string>();
    for (const scope of this.#scopes) {
      for (const [name, { isExported, value }] of scope) {
        if (isExported && typeof value === "string") environment.set(name, value);
        else environment.delete(name);
      }
    }
    this.#environment = environment;
    return environment;
  }

  /** A subshell's copy: nothing done to it is seen here. */
  copy(): Variables {
    const copy = new Variables();
    copy.#scopes.length = 0;
    copy.#kinds.splice(0, 1, ...this.#kinds);
    for (const scope of this.#scopes) {
      const scopeCopy: Scope = new Map();
      for (const [name, variable] of scope) {
        scopeCopy.set(name, { ...variable, value: copyValue(variable.value) });
      }
      copy.#scopes.push(scopeCopy);
    }
    copy.#environment = this.#environment;
    return copy;
  }

  #functionScope(): Scope {
    return this.#scopes[this.#kinds.lastIndexOf("function")] ?? new Map();
  }

  #lookup(name: string): Variable | undefined {
    for (let at = this.#scopes.length - 1; at >= 0; at--) {
      const variable = this.#scopes[at]?.get(name);
      if (variable !== undefined) return variable;
    }
    return undefined;
  }
}

function ensureIn(scope: Scope, name: string): Variable {
  const found = scope.get(name);
  if (found !== undefined) return found;
  const made = newVariable(undefined);
  scope.set(name, made);
  return made;
}

export function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

export function requireWritable(name: string, variable: Variable): void {
  if (variable.isReadonly) throw new ShellError(`${name}: readonly variable`);
}

export function foldCase(variable: Variable, value: string): string {
  if (variable.fold === "none") return value;
  return variable.fold === "lower" ? value.toLowerCase() : value.toUpperCase();
}

function newVariable(value: VariableValue): Variable {
  return {
    value,
    isExported: false,
    isReadonly: false,
    isInteger: false,
    isReference: false,
    fold: "none",
  };
}

function copyValue(value: VariableValue): VariableValue {
  if (value instanceof IndexedArray) return new IndexedArray(value.elements);
  if (value instanceof AssociativeArray) return new AssociativeArray(value.elements);
  return value;
}
