/** Which names of a program are arrays, and where each variable is kept. */
import type { Expr, FunctionNode, ProgramTree, Statement } from "./syntax.ts";
import { statementsIn, visitPattern, visitStatement } from "./walk-tree.ts";

/** Builtin functions' arguments that are arrays, counted from 0. */
const arrayArguments = new Map<string, readonly number[]>([
  ["split", [1, 3]],
  ["patsplit", [1, 3]],
  ["match", [2]],
  ["asort", [0, 1]],
  ["asorti", [0, 1]],
]);

export class Scope {
  readonly #slots = new Map<string, number>();
  readonly #arrays = new Set<string>();
  /** The parameters of each function that are arrays. */
  readonly #arrayParameters = new Map<string, Set<number>>();
  readonly #tree: ProgramTree;

  constructor(tree: ProgramTree) {
    this.#tree = tree;
    for (const name of tree.functions.keys()) this.#arrayParameters.set(name, new Set());
    this.#countUses();
    // A name passed on is an array where what takes it is: until nothing new is found.
    for (let before = -1; before !== this.#known; ) {
      before = this.#known;
      this.#look();
    }
  }

  /** Names that are used as scalars; a bare argument says nothing. */
  readonly #scalars = new Set<string>();

  #countUses(): void {
    const total = new Map<string, number>();
    const neutral = new Map<string, number>();
    const add = (counts: Map<string, number>, node: Expr | undefined): void => {
      if (node?.kind === "variable") counts.set(node.name, (counts.get(node.name) ?? 0) + 1);
    };
    const visit = (expr: Expr): void => {
      add(total, expr);
      if (expr.kind === "element") add(neutral, expr.base);
      if (expr.kind === "in") add(neutral, expr.array);
      if (expr.kind === "call" || expr.kind === "builtin")
        for (const one of expr.args) add(neutral, one);
    };
    const look = (statement: Statement): void => {
      if (statement.kind === "for-in" || statement.kind === "delete") add(neutral, statement.array);
      for (const child of statementsIn(statement)) look(child);
    };
    for (const { pattern, body } of this.#tree.rules) {
      visitPattern(pattern, visit);
      if (body !== undefined) visitStatement(body, visit);
      if (body !== undefined) look(body);
    }
    for (const [name, count] of total)
      if (count > (neutral.get(name) ?? 0)) this.#scalars.add(name);
  }

  get #known(): number {
    let count = this.#arrays.size;
    for (const parameters of this.#arrayParameters.values()) count += parameters.size;
    return count;
  }

  /** Where a global variable is kept. */
  slot(name: string): number {
    const found = this.#slots.get(name);
    if (found !== undefined) return found;
    const made = this.#slots.size;
    this.#slots.set(name, made);
    return made;
  }

  /** Used as nothing but an array. */
  isArray(name: string): boolean {
    return this.#arrays.has(name) && !this.#scalars.has(name);
  }

  isArrayParameter(functionName: string, index: number): boolean {
    return this.#arrayParameters.get(functionName)?.has(index) === true;
  }

  #look(): void {
    for (const { pattern, body } of this.#tree.rules) {
      visitPattern(pattern, (expr) => this.#lookAt(expr, undefined));
      if (body !== undefined) this.#lookIn(body, undefined);
    }
    for (const one of this.#tree.functions.values()) this.#lookIn(one.body, one);
  }

  #lookIn(statement: Statement, within: FunctionNode | undefined): void {
    visitStatement(statement, (expr) => this.#lookAt(expr, within));
    this.#lookAtLoops(statement, within);
  }

  #lookAtLoops(statement: Statement, within: FunctionNode | undefined): void {
    if (statement.kind === "for-in" || statement.kind === "delete")
      this.#mark(statement.array, within);
    for (const child of statementsIn(statement)) this.#lookAtLoops(child, within);
  }

  #lookAt(expr: Expr, within: FunctionNode | undefined): void {
    if (expr.kind === "element") this.#mark(expr.base, within);
    if (expr.kind === "in") this.#mark(expr.array, within);
    if (expr.kind === "builtin") {
      for (const at of arrayArguments.get(expr.name) ?? []) {
        const argument = expr.args[at];
        if (argument !== undefined) this.#mark(argument, within);
      }
    }
    if (expr.kind === "call") {
      for (const [at, argument] of expr.args.entries())
        if (this.isArrayParameter(expr.name, at)) this.#mark(argument, within);
    }
  }

  #mark(expr: Expr, within: FunctionNode | undefined): void {
    if (expr.kind !== "variable") return;
    const at = within?.parameters.indexOf(expr.name) ?? -1;
    if (within === undefined || at === -1) this.#arrays.add(expr.name);
    else this.#arrayParameters.get(within.name)?.add(at);
  }
}
