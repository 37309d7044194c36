import type { SyntaxProblem } from "./ast.ts";

/** Thrown by the parser at the first thing it cannot read; caught where a command's reading began. */
export class SyntaxFailure extends Error {
  readonly problem: SyntaxProblem;

  constructor(problem: SyntaxProblem) {
    super(problem.message);
    this.name = "SyntaxFailure";
    this.problem = problem;
  }
}
