import { RegExpTooComplexError } from "../../programs/regexp/errors.ts";

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

/** A failure whose message is written where it happens, with the file and line of that place; others as they are. */
export async function saidHere(
  shell: { complain(message: string): Promise<void> },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ShellError) || error.message === "") return error;
  await shell.complain(error.message);
  return new ShellError("", error.reach, error.status);
}

/** A failure as the shell's own: also of a pattern with no end in sight, or of memory. */
export function asShellError(error: unknown): ShellError | undefined {
  if (error instanceof ShellError) return error;
  if (error instanceof RegExpTooComplexError) return new ShellError(error.message, "line", 2);
  return error instanceof RangeError
    ? new ShellError("cannot allocate memory", "shell", 2)
    : undefined;
}
