/** Runs what a user wrote to complete words: `-F` functions and `-C` commands. */
import { quoteText } from "../expansion/quote-text.ts";
import { captureOutput } from "../expansion/substitution.ts";
import { expandText } from "../expansion/word.ts";
import { IndexedArray } from "../state/arrays.ts";
import type { Shell } from "../state/shell.ts";
import { asShellError } from "../state/shell-error.ts";
import { parse } from "../syntax/parse.ts";
import type { CompletionLine } from "./generate.ts";

interface Reply {
  readonly status: number;
  readonly reply: readonly string[];
}

/** Calls the function with the line's variables set; its reply is COMPREPLY. */
export async function runCompletionFunction(
  shell: Shell,
  name: string,
  line: CompletionLine,
): Promise<Reply> {
  if (!shell.functions.has(name)) {
    await shell.complain(`completion: function \`${name}' not found`);
    return { status: 1, reply: [] };
  }
  const { variables, status: before } = shell;
  variables.unset("COMPREPLY");
  setLineVariables(shell, line);
  const words = [name, line.command, line.word, line.previous];
  try {
    const status = await shell.interpreter.runWords(shell, words, "all");
    return { status, reply: takeReply(shell) };
  } catch (thrown) {
    const error = asShellError(thrown);
    if (error === undefined) throw thrown;
    await shell.complain(error.message);
    return { status: 1, reply: [] };
  } finally {
    shell.status = before;
    dropLineVariables(shell);
  }
}

function takeReply(shell: Shell): readonly string[] {
  const value = shell.variables.find("COMPREPLY")?.value;
  shell.variables.unset("COMPREPLY");
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value.values;
}

/** Runs the command in a subshell; its lines are the completions. */
export async function runCompletionCommand(
  shell: Shell,
  command: string,
  line: CompletionLine,
): Promise<string[]> {
  const operands = [line.command, line.word, line.previous].map(quoteText).join(" ");
  setLineVariables(shell, line);
  for (const name of scalarNames) shell.variables.ensure(name).isExported = true;
  shell.variables.changed();
  try {
    const text = await captureOutput(shell, parse(`${command} ${operands}`), expandText);
    return text.split("\n").filter((found) => found !== "");
  } finally {
    dropLineVariables(shell);
  }
}

const scalarNames = ["COMP_LINE", "COMP_POINT", "COMP_TYPE", "COMP_KEY"];

function setLineVariables(shell: Shell, line: CompletionLine): void {
  const { variables } = shell;
  variables.set("COMP_LINE", line.line);
  variables.set("COMP_POINT", String(line.point));
  variables.set("COMP_TYPE", String(line.type));
  variables.set("COMP_KEY", String(line.key));
  variables.set("COMP_CWORD", String(line.index));
  variables.ensure("COMP_WORDS").value = new IndexedArray(
    line.words.map((word, at): [number, string] => [at, word]),
  );
}

function dropLineVariables(shell: Shell): void {
  for (const name of [...scalarNames, "COMP_CWORD", "COMP_WORDS"]) shell.variables.unset(name);
}
