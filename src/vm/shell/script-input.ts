/** Runs a shell's own commands: a text, a file's text, or a fd read line by line. */
import { decodeText } from "../../kernel/index.ts";
import { lastCommand } from "./run/subshell.ts";
import { readUntil } from "./state/read-line.ts";
import type { Shell } from "./state/shell.ts";
import { asShellError } from "./state/shell-error.ts";
import { ShellExit } from "./state/unwind.ts";
import type { Script, Statement } from "./syntax/ast.ts";
import { parse } from "./syntax/parse.ts";

export interface TextOptions {
  /** Nothing runs after it: its last command may take the process over. */
  readonly isFinal?: boolean;
  /** What a syntax error's place is named by, behind the shell's name. */
  readonly label?: string;
  readonly firstLine?: number;
}

export async function runText(
  shell: Shell,
  text: string,
  options: TextOptions = {},
): Promise<number> {
  return runScript(shell, parse(text, options.firstLine), text, options);
}

/** Runs what can be run of a script; its syntax error is said and is status 2. */
async function runScript(
  shell: Shell,
  script: Script,
  text: string,
  options: TextOptions,
): Promise<number> {
  if (options.isFinal === true && script.error === undefined)
    shell.finalCommand = lastCommand(script.statements);
  if (script.openHereDocument !== undefined) await warnOpen(shell, script.openHereDocument);
  const status = await runLines(shell, script.statements);
  if (script.error === undefined) return status;
  await reportProblem(shell, script, text, options);
  shell.status = 2;
  return 2;
}

/** Runs statements; an error that reaches the line drops what else stands on it. */
async function runLines(shell: Shell, statements: readonly Statement[]): Promise<number> {
  let status = shell.status;
  let droppedLine = 0;
  for (const statement of statements) {
    if (statement.line <= droppedLine) continue;
    try {
      status = await shell.interpreter.runStatements(shell, [statement]);
    } catch (thrown) {
      const error = asShellError(thrown);
      if (error === undefined) throw thrown;
      if (error.reach === "shell" && !shell.isInteractive) throw error;
      await shell.complain(error.message);
      resetAfterError(shell);
      status = error.status;
      if (shell.options.has("errexit") && !shell.isInteractive) throw new ShellExit(status);
      droppedLine = statement.endLine;
    }
    shell.status = status;
  }
  return status;
}

/** What the commands that were left behind had counted. */
function resetAfterError(shell: Shell): void {
  shell.loopDepth = 0;
  shell.errexitGuards = 0;
}

async function reportProblem(
  shell: Shell,
  script: Script,
  text: string,
  options: TextOptions,
): Promise<void> {
  const { error } = script;
  if (error === undefined) return;
  const { label, firstLine = 1 } = options;
  const place = `${shell.name}: ${label === undefined ? "" : `${label}: `}line ${error.line}: `;
  await shell.write(2, `${place}${error.message}\n`);
  if (error.isIncomplete) return;
  await shell.write(2, `${place}\`${text.split("\n")[error.line - firstLine] ?? ""}'\n`);
}

async function warnOpen(
  shell: Shell,
  open: NonNullable<Script["openHereDocument"]>,
): Promise<void> {
  const { delimiter, line } = open;
  await shell.complain(
    `warning: here-document at line ${line} delimited by end-of-file (wanted \`${delimiter}')`,
  );
}

/** Reads and runs one command at a time, so that the commands themselves can read what follows. */
export async function runInput(shell: Shell, fd: number): Promise<number> {
  let line = 1;
  for (;;) {
    const command = await readCommand(shell, fd);
    if (command === undefined) return shell.status;
    const script = parse(command, line);
    await runScript(shell, script, command, { firstLine: line });
    line += command.split("\n").length - 1;
    if (script.error !== undefined) return shell.status;
    if (shell.options.has("noexec")) return shell.status;
  }
}

/** Lines up to the end of a command; undefined at the end of input. */
export async function readCommand(
  shell: Shell,
  fd: number,
  prompt?: (isFirst: boolean) => Promise<void>,
): Promise<string | undefined> {
  let text = "";
  for (;;) {
    await prompt?.(text === "");
    const line = await readUntil(shell, fd, 10);
    if (line === undefined) return text === "" ? undefined : text;
    text += decodeText(line.bytes) + (line.isWhole ? "\n" : "");
    if (!line.isWhole || isComplete(text)) return text;
  }
}

function isComplete(text: string): boolean {
  if (/(?:^|[^\\])(?:\\\\)*\\\n$/.test(text)) return false;
  const script = parse(text);
  return script.openHereDocument === undefined && script.error?.isIncomplete !== true;
}
