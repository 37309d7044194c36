/** A program that cannot be read: the messages for fd 2, without the program's name. */
export class AwkSyntaxError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** Ends the run with status 2. */
export class AwkFatalError extends Error {
  /** Whether the place in the program stands before it. */
  readonly hasPlace: boolean;

  constructor(message: string, hasPlace = true) {
    super(message);
    this.hasPlace = hasPlace;
  }
}
