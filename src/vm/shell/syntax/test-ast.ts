import type { Word } from "./ast.ts";

/** What stands in `[[ … ]]`. */
export type TestExpression =
  | {
      readonly kind: "unary";
      readonly operator: string;
      readonly operand: Word;
      /** `[[ word ]]` without an operator. */
      readonly isImplied?: boolean;
    }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: Word;
      readonly right: Word;
    }
  | {
      readonly kind: "logical";
      readonly operator: "&&" | "||";
      readonly operands: readonly TestExpression[];
    }
  | { readonly kind: "not"; readonly operand: TestExpression }
  | { readonly kind: "group"; readonly operand: TestExpression };
