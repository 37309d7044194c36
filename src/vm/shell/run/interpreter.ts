/** The interpreter put together. */
import { evaluateArithmetic } from "../expansion/arithmetic.ts";
import { expandSubscript } from "../expansion/expand-subscript.ts";
import { expandPrompt } from "../prompt.ts";
import type { Interpreter, Shell } from "../state/shell.ts";
import { reportProblem, syntaxOf, warnOpen } from "../state/syntax-report.ts";
import type { Script } from "../syntax/ast.ts";
import { ScriptReader } from "../syntax/parse.ts";
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
  expandSubscript,
  expandPrompt,
  startSubshell,
};

/** Longer texts are not remembered. */
const CACHED_LENGTH = 4096;

/**
 * Runs text in this shell, as `eval`, `source` and traps do, a line of commands at a time. A syntax
 * error is said, its place named by `label`, and is status 2.
 */
async function runSource(
  shell: Shell,
  source: string,
  firstLine = 1,
  label?: string,
): Promise<number> {
  shell.traceDepth += 1;
  try {
    return await runUnits(shell, source, { firstLine, label });
  } finally {
    shell.traceDepth -= 1;
  }
}

interface Place {
  readonly firstLine: number;
  readonly label: string | undefined;
}

async function runUnits(
  shell: Shell,
  source: string,
  { firstLine, label }: Place,
): Promise<number> {
  let status = 0;
  for (const unit of readUnits(shell, source, firstLine)) {
    if (unit.openHereDocument !== undefined) await warnOpen(shell, unit.openHereDocument);
    if (unit.error !== undefined) {
      await reportProblem(shell, unit.error, label);
      return unit.error.isLineOnly === true ? 1 : 2;
    }
    status = await runStatements(shell, unit.statements);
    shell.status = status;
  }
  return status;
}

/** The text's lines of commands: remembered where nothing that ran before could make them differ. */
function readUnits(shell: Shell, source: string, firstLine: number): Iterable<Script> {
  const syntax = syntaxOf(shell);
  const isFixed =
    source.length <= CACHED_LENGTH &&
    (syntax.aliases?.size ?? 0) === 0 &&
    !/alias|extglob/.test(source);
  if (!isFixed) return eachUnit(new ScriptReader(source, firstLine, syntax));
  const key = `${firstLine}${syntax.isExtglob === true ? "x" : ""}\0${source}`;
  return shell.remember(shell.unitCache, key, () => [
    ...eachUnit(new ScriptReader(source, firstLine, syntax)),
  ]);
}

function* eachUnit(reader: ScriptReader): Iterable<Script> {
  for (let unit = reader.next(); unit !== undefined; unit = reader.next()) {
    yield unit;
    if (unit.error !== undefined) return;
  }
}
