/** Puts the compilers of expressions, places, calls and statements together. */
import { AwkArray } from "./awk-array.ts";
import { AwkFatalError } from "./awk-error.ts";
import type { Code, Ready } from "./code.ts";
import { compileBuiltin } from "./compile-builtin.ts";
import { compileCall, type FunctionCode } from "./compile-call.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileStatement } from "./compile-statement.ts";
import type { Runtime } from "./runtime.ts";
import { Scope } from "./scope.ts";
import type { Exec } from "./signals.ts";
import { makeSpecialVariables, type SpecialVariable } from "./special-variables.ts";
import type {
  BuiltinNode,
  CallNode,
  ElementNode,
  Expr,
  FunctionNode,
  ProgramTree,
  Statement,
  Target,
  VariableNode,
} from "./syntax.ts";
import type { Value } from "./value.ts";

/** Where a name's value is. */
export type Place =
  | { readonly kind: "special"; readonly special: SpecialVariable }
  | { readonly kind: "global"; readonly slot: number }
  | { readonly kind: "local"; readonly slot: number }
  | { readonly kind: "array"; readonly array: AwkArray };

export class Compiler {
  readonly rt: Runtime;
  readonly scope: Scope;
  readonly tree: ProgramTree;
  readonly specials: ReadonlyMap<string, SpecialVariable>;
  readonly functions = new Map<string, FunctionCode>();
  readonly #arrays = new Map<string, AwkArray>();
  /** The function whose body is being compiled. */
  within: FunctionNode | undefined;

  constructor(rt: Runtime, tree: ProgramTree) {
    this.rt = rt;
    this.tree = tree;
    this.scope = new Scope(tree);
    this.specials = makeSpecialVariables(rt);
    this.#arrays.set("PROCINFO", rt.procinfo);
    for (const name of ["ENVIRON", "ARGV"]) this.globalArray(name);
    for (const one of tree.functions.values()) this.functions.set(one.name, { node: one });
    for (const code of this.functions.values()) {
      this.within = code.node;
      code.body = this.statement(code.node.body);
    }
    this.within = undefined;
  }

  expr(node: Expr): Code {
    return compileExpression(this, node);
  }

  statement(node: Statement): Exec {
    return compileStatement(this, node);
  }

  call(node: CallNode): Code {
    return compileCall(this, node);
  }

  builtin(node: BuiltinNode): Code {
    return compileBuiltin(this, node);
  }

  isTarget(node: Expr): node is Target {
    return node.kind === "variable" || node.kind === "element" || node.kind === "field";
  }

  place(name: string): Place {
    const local = this.within?.parameters.indexOf(name) ?? -1;
    if (local !== -1) return { kind: "local", slot: local };
    const special = this.specials.get(name);
    if (special !== undefined) return { kind: "special", special };
    if (this.scope.isArray(name) || this.#arrays.has(name))
      return { kind: "array", array: this.globalArray(name) };
    return { kind: "global", slot: this.scope.slot(name) };
  }

  /** A global array by its name. */
  globalArray(name: string): AwkArray {
    const found = this.#arrays.get(name);
    if (found !== undefined) return found;
    const made = new AwkArray(name, this.rt.holding);
    this.#arrays.set(name, made);
    return made;
  }

  /** What gives the array a name or an element stands for. Subscripts are the operands. */
  array(node: VariableNode | ElementNode, operands: readonly Ready[]): () => AwkArray {
    if (node.kind === "element") {
      const own = operands.slice(-1);
      const base = this.array(node.base, operands.slice(0, -1));
      const { rt } = this;
      const [index] = own;
      return () => base().inner(rt.key(index?.value()));
    }
    const { name } = node;
    const place = this.place(name);
    switch (place.kind) {
      case "array":
        return () => place.array;
      case "local":
        return this.#slotArray(() => this.rt.frame, place.slot, name, "parameter ");
      case "global":
        return this.#slotArray(() => this.rt.globals, place.slot, name, "");
      default:
        return () => {
          throw new AwkFatalError(`attempt to use scalar \`${name}' as an array`);
        };
    }
  }

  /** A variable that becomes an array when it is first used as one. */
  #slotArray(
    values: () => Value[],
    slot: number,
    name: string,
    kind: "parameter " | "",
  ): () => AwkArray {
    const { rt } = this;
    return () => {
      const value = values()[slot];
      if (value instanceof AwkArray) return value;
      if (value !== undefined)
        throw new AwkFatalError(`attempt to use scalar ${kind}\`${name}' as an array`);
      const made = new AwkArray(name, rt.holding);
      values()[slot] = made;
      return made;
    };
  }

  /** The value of a bare name as it is: an array stays one. */
  rawValue(name: string): () => Value {
    const { rt } = this;
    const place = this.place(name);
    switch (place.kind) {
      case "array":
        return () => place.array;
      case "special":
        return place.special.get;
      case "local":
        return () => rt.frame[place.slot];
      case "global":
        return () => rt.globals[place.slot];
    }
  }

  /** Sets a variable by its name, as `-v` and operands do. */
  assign(name: string, value: Value): void {
    const special = this.specials.get(name);
    if (special !== undefined) special.set(value);
    else if (this.scope.isArray(name) || this.#arrays.has(name))
      throw new AwkFatalError(`cannot use array \`${name}' as a variable`, false);
    else this.rt.globals[this.scope.slot(name)] = value;
  }
}
