/** How `break`, `continue`, `return` and `exit` leave the code that runs: thrown, caught by their target. */

export class LoopExit extends Error {
  readonly kind: "break" | "continue";
  /** Loops still to leave. */
  readonly levels: number;
  /** What the loop that is left answers. */
  readonly status: number;

  constructor(kind: "break" | "continue", levels: number, status = 0) {
    super(kind);
    this.kind = kind;
    this.levels = levels;
    this.status = status;
  }
}

export class FunctionReturn extends Error {
  readonly status: number;

  constructor(status: number) {
    super("return");
    this.status = status;
  }
}

export class ShellExit extends Error {
  readonly status: number;

  constructor(status: number) {
    super("exit");
    this.status = status;
  }
}
