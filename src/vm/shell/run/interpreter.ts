/** The interpreter put together. */
import { evaluateArithmetic } from "../expansion/arithmetic.ts";
import type { Interpreter, Shell } from "../state/shell.ts";
import { parse } from "../syntax/parse.ts";
import { runCommand } from "./command.ts";
import { runWords } from "./simple-command.ts";
import { runStatements } from "./statements.ts";
import { startSubshell } from "./subshell.ts";

export const interpreter: Interpreter = {
  runStatements,
  runCommand,
  runWords,
  runSource,
  evaluate: evaluateArithmetic,
  startSubshell,
};

/** Longer texts are not remembered. */
const CACHED_LENGTH = 4096;

/** Runs text in this shell, as `eval`, `source` and traps do. A syntax error is said and is status 2. */
async function runSource(shell: Shell, source: string, firstLine = 1): Promise<number> {
  const script =
    source.length > CACHED_LENGTH
      ? parse(source, firstLine)
      : shell.remember(shell.sourceCache, `${firstLine}\0${source}`, () =>
          parse(source, firstLine),
        );
  const status = await runStatements(shell, script.statements);
  if (script.error === undefined) return status;
  shell.line = script.error.line;
  await shell.complain(script.error.message);
  return 2;
}
