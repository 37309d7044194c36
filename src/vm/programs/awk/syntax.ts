/** The tree of an awk program. */

export type VariableNode = { readonly kind: "variable"; readonly name: string };

export type ElementNode = {
  readonly kind: "element";
  /** An array, or an element that holds one. */
  readonly base: VariableNode | ElementNode;
  readonly index: readonly Expr[];
};

export type FieldNode = { readonly kind: "field"; readonly index: Expr };

/** What can be assigned to. */
export type Target = VariableNode | ElementNode | FieldNode;

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%" | "^";
export type CompareOperator = "<" | "<=" | "==" | "!=" | ">" | ">=";

export type GetlineNode = {
  readonly kind: "getline";
  readonly from: "main" | "file" | "command" | "coprocess";
  readonly source?: Expr;
  readonly target?: Target;
};

export type CallNode = {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expr[];
  readonly line: number;
  /** `@name(…)`: the function's name is the variable's value. */
  readonly isIndirect: boolean;
};

export type BuiltinNode = {
  readonly kind: "builtin";
  readonly name: string;
  readonly args: readonly Expr[];
  readonly line: number;
};

export type Expr =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly text: string }
  /** Alone it is a match with the record; `@/…/` is a value. */
  | { readonly kind: "regexp"; readonly source: string; readonly isTyped: boolean }
  | Target
  | {
      readonly kind: "assign";
      readonly operator: ArithmeticOperator | undefined;
      readonly target: Target;
      readonly value: Expr;
      readonly line: number;
    }
  | {
      readonly kind: "step";
      readonly target: Target;
      readonly by: 1 | -1;
      readonly isPrefix: boolean;
    }
  | { readonly kind: "unary"; readonly operator: "+" | "-" | "!"; readonly operand: Expr }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Expr;
      readonly right: Expr;
      readonly line: number;
    }
  | { readonly kind: "and" | "or"; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "choose"; readonly test: Expr; readonly yes: Expr; readonly no: Expr }
  | {
      readonly kind: "match";
      readonly isNegated: boolean;
      readonly left: Expr;
      readonly right: Expr;
    }
  | {
      readonly kind: "in";
      readonly index: readonly Expr[];
      readonly array: VariableNode | ElementNode;
    }
  | { readonly kind: "concat"; readonly left: Expr; readonly right: Expr }
  | {
      readonly kind: "compare";
      readonly operator: CompareOperator;
      readonly left: Expr;
      readonly right: Expr;
    }
  | { readonly kind: "group"; readonly inner: Expr }
  /** `(a, b)`: only before `in` and behind `print`. */
  | { readonly kind: "list"; readonly items: readonly Expr[] }
  | CallNode
  | BuiltinNode
  | GetlineNode;

export interface Redirection {
  readonly kind: ">" | ">>" | "|" | "|&";
  readonly to: Expr;
}

export interface SwitchCase {
  /** None for `default`. */
  readonly value: Expr | undefined;
  readonly body: readonly Statement[];
}

export type Statement = { readonly line: number } & (
  | { readonly kind: "expression"; readonly expr: Expr }
  | {
      readonly kind: "print" | "printf";
      readonly args: readonly Expr[];
      readonly redirection: Redirection | undefined;
    }
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | {
      readonly kind: "if";
      readonly test: Expr;
      readonly yes: Statement;
      readonly no: Statement | undefined;
    }
  | { readonly kind: "while" | "do"; readonly test: Expr; readonly body: Statement }
  | {
      readonly kind: "for";
      readonly start: Statement | undefined;
      readonly test: Expr | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
    }
  | {
      readonly kind: "for-in";
      readonly target: Target;
      readonly array: VariableNode | ElementNode;
      readonly body: Statement;
    }
  | { readonly kind: "switch"; readonly value: Expr; readonly cases: readonly SwitchCase[] }
  | { readonly kind: "break" | "continue" | "next" | "nextfile" }
  | { readonly kind: "exit" | "return"; readonly value: Expr | undefined }
  | {
      readonly kind: "delete";
      readonly array: VariableNode | ElementNode;
      readonly index: readonly Expr[] | undefined;
    }
);

export type Pattern =
  | { readonly kind: "BEGIN" | "END" | "BEGINFILE" | "ENDFILE" | "always" }
  | { readonly kind: "expr"; readonly expr: Expr }
  | { readonly kind: "range"; readonly from: Expr; readonly to: Expr };

export interface Rule {
  readonly pattern: Pattern;
  /** None prints the record. */
  readonly body: Statement | undefined;
  readonly line: number;
}

export interface FunctionNode {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: Statement;
  readonly line: number;
}

export interface ProgramTree {
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, FunctionNode>;
}
