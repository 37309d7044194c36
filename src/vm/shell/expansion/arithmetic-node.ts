/** Arithmetic as a tree. */
export type ArithmeticNode =
  | { readonly kind: "number"; readonly value: bigint }
  | { readonly kind: "variable"; readonly name: string; readonly index: string | undefined }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: ArithmeticNode }
  | {
      readonly kind: "step";
      readonly operator: "++" | "--";
      readonly isPrefix: boolean;
      readonly target: VariableNode;
    }
  | {
      readonly kind: "binary";
      readonly operator: string;
      readonly left: ArithmeticNode;
      readonly right: ArithmeticNode;
    }
  | {
      readonly kind: "assign";
      readonly operator: string;
      readonly target: VariableNode;
      readonly value: ArithmeticNode;
    }
  | {
      readonly kind: "choice";
      readonly test: ArithmeticNode;
      readonly yes: ArithmeticNode;
      readonly no: ArithmeticNode;
    };

export type VariableNode = Extract<ArithmeticNode, { kind: "variable" }>;
