/**
 * How far a failure reaches: `command` fails the command, `line` drops the rest of the input line
 * that is running (the whole of a `-c` text), `shell` ends a shell that is not interactive.
 */
export type ErrorReach = "command" | "line" | "shell";

/**
 * A failure with a message and a status: a bad substitution, a readonly variable, an unset one
 * under `set -u`. The message has no prefix; whoever prints it adds `name: line N:`.
 */
export class ShellError extends Error {
  readonly reach: ErrorReach;
  readonly status: number;

  constructor(message: string, reach: ErrorReach = "line", status = 1) {
    super(message);
    this.name = "ShellError";
    this.reach = reach;
    this.status = status;
  }
}
