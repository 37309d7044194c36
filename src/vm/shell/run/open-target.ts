import {
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
} from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import type { RedirectOperator } from "../syntax/ast.ts";
import { openConnection, parseConnectionName } from "./open-connection.ts";

const create = O_WRONLY | O_CREAT;

const openFlags: Record<RedirectOperator, number> = {
  "<": O_RDONLY,
  "<&": O_RDONLY,
  "<>": O_RDWR | O_CREAT,
  ">": create | O_TRUNC,
  ">|": create | O_TRUNC,
  ">&": create | O_TRUNC,
  ">>": create | O_APPEND,
  "&>": create | O_TRUNC,
  "&>>": create | O_APPEND,
};

/** Opens the file a redirection names, as its operator says. Fails with a ShellError. */
export async function openTarget(
  shell: Shell,
  path: string,
  operator: RedirectOperator,
): Promise<number> {
  const { sys, options } = shell;
  const isGuarded = options.has("noclobber") && (operator === ">" || operator === "&>");
  const connection = parseConnectionName(path);
  try {
    if (connection !== undefined) return await openConnection(shell, connection);
    const kind = isGuarded ? await kindOf(shell, path) : undefined;
    if (kind === "file") {
      throw new ShellError(`${path}: cannot overwrite existing file`, "command");
    }
    const flags = openFlags[operator] | (isGuarded && kind === undefined ? O_EXCL : 0);
    return await shell.retry(() => sys.open(path, flags | O_CLOEXEC, 0o666));
  } catch (error) {
    if (isKernelError(error)) throw new ShellError(`${path}: ${errorWords(error)}`, "command");
    throw error;
  }
}

/** What is at a path; undefined where nothing can be seen. */
async function kindOf(shell: Shell, path: string): Promise<string | undefined> {
  try {
    return (await shell.sys.stat(path)).kind;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
