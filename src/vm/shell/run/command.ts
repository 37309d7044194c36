import type { Shell } from "../state/shell.ts";
import type { Command } from "../syntax/ast.ts";
import { runCompound } from "./compound.ts";
import { startCoprocess } from "./coprocess.ts";
import { withRedirects } from "./redirect.ts";
import { runSimple } from "./simple-command.ts";

/** Runs one command in this process and answers its status. */
export async function runCommand(shell: Shell, command: Command): Promise<number> {
  switch (command.kind) {
    case "simple":
      return runSimple(shell, command);
    case "redirected":
      return withRedirects(shell, command.redirects, () => runCompound(shell, command.command));
    case "function":
      shell.functions.set(command.name, command);
      return 0;
    case "coprocess":
      return startCoprocess(shell, command);
    default:
      return runCompound(shell, command);
  }
}
