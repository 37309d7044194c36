/** The tree of a bc program. `address` is where GNU's byte code would be, which messages show. */

export type Special = "scale" | "ibase" | "obase" | "last";

export type Target =
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "element"; readonly name: string; readonly index: Expr }
  | { readonly kind: "special"; readonly name: Special };

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "^";

export type Expr =
  | { readonly kind: "number"; readonly text: string }
  | Target
  /** Only as an argument: `a[]`. */
  | { readonly kind: "array"; readonly name: string }
  | {
      readonly kind: "assign";
      readonly operator: BinaryOperator | undefined;
      readonly target: Target;
      readonly value: Expr;
      readonly address: number;
    }
  | {
      readonly kind: "step";
      readonly target: Target;
      readonly by: 1 | -1;
      readonly isPrefix: boolean;
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expr;
      readonly right: Expr;
      readonly address: number;
    }
  | {
      readonly kind: "compare";
      readonly operator: string;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly kind: "and" | "or"; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "negate" | "not" | "group"; readonly operand: Expr }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Expr[];
      readonly address: number;
    }
  | {
      readonly kind: "builtin";
      readonly name: "length" | "scale" | "sqrt" | "read";
      readonly argument: Expr | undefined;
      readonly address: number;
    };

export type Statement =
  | { readonly kind: "expression"; readonly expr: Expr }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "print"; readonly items: readonly (string | Expr)[] }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | {
      readonly kind: "if";
      readonly test: Expr;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | { readonly kind: "while"; readonly test: Expr; readonly body: Statement }
  | {
      readonly kind: "for";
      readonly start: Expr | undefined;
      readonly test: Expr | undefined;
      readonly step: Expr | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "break" | "continue" | "halt" }
  | { readonly kind: "return"; readonly value: Expr | undefined };

export interface Parameter {
  readonly name: string;
  readonly kind: "scalar" | "array" | "reference";
}

export interface FunctionNode {
  readonly name: string;
  readonly isVoid: boolean;
  readonly parameters: readonly Parameter[];
  readonly autos: readonly Parameter[];
  readonly body: readonly Statement[];
}

/** What one line, or as many as belong together, says. */
export type Part =
  | { readonly kind: "statement"; readonly statement: Statement }
  | { readonly kind: "function"; readonly node: FunctionNode }
  | { readonly kind: "quit" };
