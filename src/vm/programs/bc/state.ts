/** What a bc program holds: variables, arrays, functions, bases. */
import { fromInteger, type Num, toInteger, ZERO } from "./number.ts";
import type { FunctionNode, Parameter } from "./syntax.ts";

export type BcArray = Map<bigint, Num>;

/** Elements of all arrays: beyond that it is too much for one program. */
const ELEMENTS_LIMIT = 1_000_000;

export class BcState {
  readonly functions = new Map<string, FunctionNode>();
  readonly #variables = new Map<string, Num[]>();
  readonly #arrays = new Map<string, BcArray[]>();
  #elements = 0;
  scale = 0;
  ibase = 10;
  obase = 10;
  last: Num = ZERO;
  readonly hasMath: boolean;

  constructor(hasMath: boolean) {
    this.hasMath = hasMath;
    if (hasMath) this.scale = 20;
  }

  variable(name: string): Num {
    return this.#variables.get(name)?.at(-1) ?? ZERO;
  }

  setVariable(name: string, value: Num): void {
    const stack = this.#variables.get(name);
    if (stack === undefined) this.#variables.set(name, [value]);
    else stack[Math.max(0, stack.length - 1)] = value;
  }

  array(name: string): BcArray {
    const stack = this.#arrays.get(name) ?? [new Map<bigint, Num>()];
    this.#arrays.set(name, stack);
    return stack.at(-1) ?? new Map();
  }

  element(name: string, index: bigint): Num {
    return this.array(name).get(index) ?? ZERO;
  }

  /** False where there are too many. */
  setElement(name: string, index: bigint, value: Num): boolean {
    this.#elements += 1;
    if (this.#elements > ELEMENTS_LIMIT) return false;
    this.array(name).set(index, value);
    return true;
  }

  /** Hides a name behind a new value until `pop`. */
  push({ name, kind }: Parameter, value: Num | BcArray): void {
    if (kind === "scalar") {
      const stack = this.#variables.get(name) ?? [ZERO];
      this.#variables.set(name, stack);
      stack.push(value instanceof Map ? ZERO : value);
      return;
    }
    this.array(name);
    const given = value instanceof Map ? value : new Map<bigint, Num>();
    this.#arrays.get(name)?.push(kind === "reference" ? given : new Map(given));
  }

  pop({ name, kind }: Parameter): void {
    if (kind === "scalar") this.#variables.get(name)?.pop();
    else this.#arrays.get(name)?.pop();
  }

  special(name: "scale" | "ibase" | "obase" | "last"): Num {
    return name === "last" ? this.last : fromInteger(this[name]);
  }

  /** A warning where the value is out of its range and another one is taken. */
  setSpecial(name: "scale" | "ibase" | "obase" | "last", value: Num): string | undefined {
    if (name === "last") {
      this.last = value;
      return undefined;
    }
    const wanted = toInteger(value);
    const least = name === "scale" ? 0n : 2n;
    const most = name === "ibase" ? 16n : 2_147_483_647n;
    const taken = wanted < least ? least : wanted > most ? most : wanted;
    this[name] = Number(taken);
    if (taken === wanted) return undefined;
    if (name === "scale") return "negative scale, set to 0";
    return `${name} ${wanted < least ? "too small" : "too large"}, set to ${taken}`;
  }
}
