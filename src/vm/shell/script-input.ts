/** Runs a shell's own commands: a text, a file's text, or a fd read line by line. */
import { decodeText, isKernelError } from "../../kernel/index.ts";
import { loadHistory } from "./history/history-file.ts";
import { type LineSource, readCommandLines, type SourceLine } from "./history/read-command.ts";
import { TextSource } from "./history/text-source.ts";
import { lastCommand } from "./run/subshell.ts";
import { readUntil } from "./state/read-line.ts";
import type { Shell } from "./state/shell.ts";
import { asShellError } from "./state/shell-error.ts";
import { reportProblem, syntaxOf, warnOpen } from "./state/syntax-report.ts";
import { ShellExit } from "./state/unwind.ts";
import type { Script } from "./syntax/ast.ts";
import { ScriptReader } from "./syntax/parse.ts";

export interface TextOptions {
  /** Nothing runs after it: its last command may take the process over. */
  readonly isFinal?: boolean;
  /** What a syntax error's place is named by, behind the shell's name. */
  readonly label?: string;
  readonly firstLine?: number;
}

/** Reads and runs a text a line of commands at a time; a syntax error is said and is status 2. */
export async function runText(
  shell: Shell,
  text: string,
  options: TextOptions = {},
): Promise<number> {
  const reader = new ScriptReader(text, options.firstLine, syntaxOf(shell));
  let shown = 0;
  for (let unit = reader.next(); unit !== undefined; unit = reader.next()) {
    if (shell.options.has("verbose")) await echoInput(shell, text.slice(shown, reader.position));
    shown = reader.position;
    const isLast = options.isFinal === true && reader.isAtEnd;
    if (!(await runUnit(shell, unit, { ...options, isFinal: isLast }))) return shell.status;
    if (shell.options.has("onecmd")) throw new ShellExit(shell.status);
    if (options.isFinal === true && shell.options.has("history"))
      return runRemembered(shell, { text, position: reader.position, options });
  }
  return shell.status;
}

/** Runs the lines of a script behind its `set -o history`: each is expanded and remembered first. */
async function runRemembered(
  shell: Shell,
  script: { readonly text: string; readonly position: number; readonly options: TextOptions },
): Promise<number> {
  const { text, position, options } = script;
  await loadHistory(shell);
  const source = new TextSource(text.slice(position));
  const before = (options.firstLine ?? 1) + text.slice(0, position).split("\n").length - 1;
  for (;;) {
    const line = before + source.taken;
    shell.line = line;
    const command = await readCommandLines(shell, source);
    if (command === undefined) return shell.status;
    const reader = new ScriptReader(command, line, syntaxOf(shell));
    for (let unit = reader.next(); unit !== undefined; unit = reader.next())
      if (!(await runUnit(shell, unit, { ...options, isFinal: false }))) return shell.status;
  }
}

/** `set -v`: shows the lines as they are read. */
async function echoInput(shell: Shell, text: string): Promise<void> {
  await shell.write(2, text.endsWith("\n") ? text : `${text}\n`);
}

/** Runs one line of commands; false after a syntax error, which ends a text. */
async function runUnit(shell: Shell, unit: Script, options: TextOptions): Promise<boolean> {
  if (unit.openHereDocument !== undefined) await warnOpen(shell, unit.openHereDocument);
  if (unit.error !== undefined) {
    await reportProblem(shell, unit.error, options.label);
    if (unit.error.isLineOnly === true) shell.status = 1;
    else if (unit.error.keepsStatus !== true) shell.status = 2;
    return unit.error.isLineOnly === true && options.label === undefined;
  }
  shell.commandNumber += 1;
  if (options.isFinal === true) shell.finalCommand = lastCommand(unit.statements);
  try {
    shell.status = await shell.interpreter.runStatements(shell, unit.statements);
  } catch (thrown) {
    await dropLine(shell, thrown);
  }
  return true;
}

/** An error that reaches the line drops what else stands on it. */
async function dropLine(shell: Shell, thrown: unknown): Promise<void> {
  const error = asShellError(thrown);
  if (error === undefined) throw thrown;
  if (error.reach === "shell" && !shell.isInteractive) throw error;
  await shell.complain(error.message);
  shell.loopDepth = 0;
  shell.errexitGuards = 0;
  shell.status = error.status;
  const isAssignment = error.message.endsWith("readonly variable");
  if (isAssignment && shell.options.has("errexit") && !shell.isInteractive)
    throw new ShellExit(error.status);
}

/** Reads and runs one command at a time, so that the commands themselves can read what follows. */
export async function runInput(shell: Shell, fd: number): Promise<number> {
  const source = new FdSource(shell, fd);
  let line = 1;
  for (;;) {
    const command = await readCommandLines(shell, source);
    if (command === undefined) return shell.status;
    const reader = new ScriptReader(command, line, syntaxOf(shell));
    if (shell.options.has("verbose")) await echoInput(shell, command);
    for (let unit = reader.next(); unit !== undefined; unit = reader.next()) {
      if (!(await runUnit(shell, unit, {}))) return shell.status;
      if (shell.options.has("onecmd")) throw new ShellExit(shell.status);
    }
    line += command.split("\n").length - 1;
  }
}

/** The lines that can be read from a fd, nothing beyond them. */
// Deviation: a script in a file on stdin is read a line at a time, so that all commands find what follows; bash reads ahead and goes back only for `read` and for processes that it starts.
class FdSource implements LineSource {
  readonly #shell: Shell;
  readonly #fd: number;

  constructor(shell: Shell, fd: number) {
    this.#shell = shell;
    this.#fd = fd;
  }

  /** A closed fd is the end of input. */
  async #read(): ReturnType<typeof readUntil> {
    try {
      return await readUntil(this.#shell, this.#fd, 10);
    } catch (error) {
      if (isKernelError(error, "EBADF")) return undefined;
      throw error;
    }
  }

  async next(): Promise<SourceLine | undefined> {
    const line = await this.#read();
    return line === undefined ? undefined : { text: decodeText(line.bytes), isWhole: line.isWhole };
  }
}
