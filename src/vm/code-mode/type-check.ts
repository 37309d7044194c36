/** What is asked of the process that checks types, and what it answers. */

export interface CheckRequest {
  readonly code: string;
  /** The declaration of `tools`. */
  readonly tools: string;
}

/** Something in the code that will not work. */
export interface TypeProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The line as it stands in the code. */
  readonly source: string;
  readonly message: string;
  /** The toolkit and the tool it is about, as JavaScript names them. */
  readonly tool?: readonly string[];
  /** It cannot even be parsed. */
  readonly isSyntax?: boolean;
}
