import { isSpecialBuiltin } from "../builtins/builtin-names.ts";
import type { Shell } from "../state/shell.ts";
import { ShellExit } from "../state/unwind.ts";
import { isName } from "../state/variables.ts";
import type { Command, FunctionDefinition } from "../syntax/ast.ts";
import { runCompound } from "./compound.ts";
import { startCoprocess } from "./coprocess.ts";
import { withRedirects } from "./redirect.ts";
import { runSimple } from "./simple-command.ts";

/** Runs one command in this process and answers its status. */
export function runCommand(shell: Shell, command: Command): Promise<number> {
  switch (command.kind) {
    case "simple":
      return runSimple(shell, command);
    case "redirected":
      return withRedirects(shell, command.redirects, () => runCompound(shell, command.command));
    case "function":
      return defineFunction(shell, command);
    case "coprocess":
      return startCoprocess(shell, command);
    default:
      return runCompound(shell, command);
  }
}

async function defineFunction(shell: Shell, command: FunctionDefinition): Promise<number> {
  const { name } = command;
  shell.line = command.line;
  if (/[$`'"\\]/.test(name) || (shell.options.has("posix") && !isName(name))) {
    await shell.complain(`\`${name}': not a valid identifier`);
    if (shell.options.has("posix")) throw new ShellExit(2);
    return 1;
  }
  if (shell.options.has("posix") && isSpecialBuiltin(name)) {
    await shell.complain(`\`${name}': is a special builtin`);
    throw new ShellExit(2);
  }
  if (shell.functions.get(name)?.isReadonly === true) {
    await shell.complain(`${name}: readonly function`);
    return 1;
  }
  shell.functions.set(name, { ...command, file: shell.sourceName });
  return 0;
}
