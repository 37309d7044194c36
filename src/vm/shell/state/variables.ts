import { AssociativeArray, IndexedArray } from "./arrays.ts";
import { ShellError } from "./shell-error.ts";
import {
  copyValue,
  foldCase,
  isName,
  newVariable,
  requireWritable,
  sizeOf,
  splitElement,
  type Variable,
  type VariableValue,
} from "./variable.ts";
import { requireWordRoom } from "./word-limit.ts";

export { AssociativeArray, IndexedArray } from "./arrays.ts";
export {
  foldCase,
  isName,
  requireWritable,
  splitElement,
  type Variable,
  type VariableValue,
} from "./variable.ts";

/** Where a chain of namerefs ends: a name, or an element of one. */
export interface Target {
  readonly name: string;
  readonly index: string | undefined;
  /** A local nameref that names itself means the global variable. */
  readonly isGlobal: boolean;
}

type Scope = Map<string, Variable>;

/** A function's locals, or the assignments before a command. */
type ScopeKind = "function" | "command";

/** Where `local -` keeps the options. */
export const LOCAL_OPTIONS = "local -";

/** How many namerefs are followed before it is a circle. */
const REFERENCE_LIMIT = 8;

/** Characters that all variables of a shell hold at most, each element counting a little more. */
const TOTAL_LIMIT = 64 * 1024 * 1024;
const ELEMENT_COST = 64;
const COUNT_EVERY = 8 * 1024 * 1024;

/**
 * The shell's variables: a global scope, and one more for each function call and each command with
 * assignments before it. A name is looked for from the innermost scope outwards (dynamic scope).
 */
export class Variables {
  readonly #scopes: Scope[];
  readonly #kinds: ScopeKind[] = ["function"];
  /** The exported variables as an environment; undefined when something has changed. */
  #environment: ReadonlyMap<string, string> | undefined;
  #added = 0;
  #countAt = COUNT_EVERY;
  /** Makes the value of a dynamic variable. */
  readDynamic: (kind: string) => VariableValue = () => undefined;
  /** Is told of a nameref that leads to itself. */
  onCircle: (name: string) => void = () => undefined;

  constructor(environment: ReadonlyMap<string, string> = new Map()) {
    const scope: Scope = new Map();
    for (const [name, value] of environment) {
      if (isName(name)) scope.set(name, { ...newVariable(value), isExported: true });
    }
    this.#scopes = [scope];
  }

  /** The variable, or the one its nameref leads to; for an element its array. */
  find(name: string): Variable | undefined {
    const found = this.#lookup(name);
    if (found === undefined || !found.isReference) return found;
    const target = this.follow(name);
    if (target === undefined) return undefined;
    return target.isGlobal ? this.#scopes[0]?.get(target.name) : this.#lookup(target.name);
  }

  /** The variable itself, when it is a nameref. */
  findUnresolved(name: string): Variable | undefined {
    return this.#lookup(name);
  }
  findLocal(name: string): Variable | undefined {
    return this.#functionScope().get(name);
  }

  findGlobal(name: string): Variable | undefined {
    return this.#scopes[0]?.get(name);
  }
  /** The name at the end of a chain of namerefs; undefined where it leads round in a circle. */
  follow(name: string, isQuiet = false): Target | undefined {
    let at = name;
    for (let step = 0; step <= REFERENCE_LIMIT; step++) {
      const variable = this.#lookup(at);
      if (variable === undefined || !variable.isReference) break;
      if (typeof variable.value !== "string" || variable.value === "") break;
      if (variable.value === at || variable.value === name) {
        if (!isQuiet) this.onCircle(name);
        if (this.#scopes[0]?.get(at) === variable) return undefined;
        return { name: at, index: undefined, isGlobal: true };
      }
      if (step === REFERENCE_LIMIT) return undefined;
      at = variable.value;
    }
    const element = splitElement(at);
    if (element === undefined) return { name: at, index: undefined, isGlobal: false };
    return { ...element, isGlobal: false };
  }

  /** The name at the end of a chain of namerefs, without an element's index. */
  resolve(name: string): string {
    const found = this.#lookup(name);
    return found?.isReference === true ? (this.follow(name)?.name ?? name) : name;
  }

  /** A variable's value, made now where it is dynamic. */
  valueOf(variable: Variable): VariableValue {
    return variable.dynamic === undefined ? variable.value : this.readDynamic(variable.dynamic);
  }

  /** The scalar value; for an array its element 0. */
  get(name: string): string | undefined {
    const variable = this.find(name);
    if (variable === undefined) return undefined;
    const value = this.valueOf(variable);
    if (value === undefined || typeof value === "string") return value;
    return value instanceof IndexedArray ? value.get(0) : value.get("0");
  }

  /** Sets the scalar value where the name is found, else globally. Fails on a readonly one. */
  set(name: string, value: string): void {
    const variable = this.ensure(name);
    requireWritable(name, variable);
    requireWordRoom(value.length);
    this.charge(value.length);
    const folded = foldCase(variable, value);
    variable.dynamic = undefined;
    if (variable.value instanceof IndexedArray) variable.value.set(0, folded);
    else if (variable.value instanceof AssociativeArray) variable.value.set("0", folded);
    else variable.value = folded;
    if (variable.isExported) this.changed();
  }

  /** The variable of this name, made in the global scope where there is none. */
  ensure(name: string): Variable {
    const found = this.#lookup(name);
    if (found !== undefined && !found.isReference) return found;
    const target = found === undefined ? undefined : this.follow(name, true);
    if (found !== undefined && target === undefined)
      throw new ShellError(`warning: ${name}: circular name reference`);
    const resolved = target?.name ?? name;
    const last =
      target?.isGlobal === true ? this.#scopes[0]?.get(resolved) : this.#lookup(resolved);
    if (last !== undefined) return last;
    return ensureIn(this.#scopes[0] ?? new Map(), resolved);
  }

  ensureGlobal(name: string): Variable {
    return ensureIn(this.#scopes[0] ?? new Map(), name);
  }

  /** The variable of this name in the scope of the innermost function, made there where there is none. */
  ensureLocal(name: string): Variable {
    return ensureIn(this.#functionScope(), name);
  }

  /** The variable of this name in the innermost scope of any kind. */
  ensureInnermost(name: string): Variable {
    return ensureIn(this.#scopes.at(-1) ?? new Map(), name);
  }

  /** The assignment before the running function, builtin or command; undefined where there is none. */
  findTemporary(name: string): Variable | undefined {
    for (let at = this.#scopes.length - 1; at > 0; at--) {
      const variable = this.#scopes[at]?.get(name);
      if (this.#kinds[at] === "command" && variable !== undefined) return variable;
      if (variable !== undefined) return undefined;
    }
    return undefined;
  }

  /** Takes the innermost one away. A local stays local, unset. Fails on a readonly one. */
  unset(name: string, keepsOuter = false): void {
    const local = this.#functionScope();
    for (const scope of this.#scopes.toReversed()) {
      const variable = scope.get(name);
      if (variable === undefined) continue;
      if (variable.isReadonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
      const isKept = scope === local || keepsOuter;
      if (isKept && scope !== this.#scopes[0]) scope.set(name, newVariable(undefined));
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
    const scope = this.#scopes.pop();
    this.#kinds.pop();
    if (scope !== undefined && scope.size > 0) this.changed();
  }

  /** All names that can be seen, sorted. */
  names(): string[] {
    const names = new Set<string>();
    for (const scope of this.#scopes) for (const name of scope.keys()) names.add(name);
    return [...names].filter(isName).toSorted();
  }

  localNames(): string[] {
    return [...this.#functionScope().keys()].filter(isName).toSorted();
  }

  /** To be called after a variable's value or attributes were changed from outside. */
  changed(): void {
    this.#environment = undefined;
  }

  environment(): ReadonlyMap<string, string> {
    if (this.#environment !== undefined) return this.#environment;
    const environment = new Map<string, string>();
    let isFixed = true;
    for (const scope of this.#scopes) {
      for (const [name, variable] of scope) {
        const value = variable.isExported ? this.valueOf(variable) : undefined;
        if (variable.isExported && variable.dynamic !== undefined) isFixed = false;
        if (typeof value === "string") environment.set(name, value);
      }
    }
    if (isFixed) this.#environment = environment;
    return environment;
  }

  /** Counts what is added. Fails where all variables together hold too much. */
  charge(length: number): void {
    this.#added += length + ELEMENT_COST;
    if (this.#added < this.#countAt) return;
    const total = this.#total();
    if (total > TOTAL_LIMIT)
      throw new ShellError(`xrealloc: cannot allocate ${total} bytes`, "shell", 2);
    this.#added = 0;
    this.#countAt = Math.max(COUNT_EVERY / 8, Math.min(COUNT_EVERY, (TOTAL_LIMIT - total) / 2));
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
    copy.#added = this.#added;
    copy.#countAt = this.#countAt;
    return copy;
  }

  #total(): number {
    let total = 0;
    for (const scope of this.#scopes)
      for (const { value } of scope.values()) total += sizeOf(value, ELEMENT_COST);
    return total;
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
