/** A simple command: expand, assign, redirect, then function, builtin or program. */
import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Builtin } from "../builtins/builtin.ts";
import { isSpecialBuiltin } from "../builtins/builtin-names.ts";
import { findBuiltin, findEnabled } from "../builtins/registry.ts";
import { expandWords } from "../expansion/word.ts";
import { truncateHistoryFile } from "../history/history-file.ts";
import type { CommandKinds, Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { withSubscripts } from "../state/subscript.ts";
import { ShellExit } from "../state/unwind.ts";
import type { Argument, Redirect, SimpleCommand, Word } from "../syntax/ast.ts";
import { makeWord } from "../syntax/make-word.ts";
import {
  applyAssignment,
  describeAssignment,
  type PreparedAssignment,
  prepareAssignment,
} from "./assignments.ts";
import { callFunction } from "./call-function.ts";
import {
  type CommandAssignment,
  commandEnvironment,
  keepingAssignments,
  traceAssignments,
  withAssignments,
} from "./command-assignments.ts";
import { runDebugTrap } from "./debug-trap.ts";
import { declareVariables, isDeclaration, makesKeyed } from "./declare-variables.ts";
import { itemText } from "./print-declarations.ts";
import { runProgram } from "./program-command.ts";
import { RedirectPlan, withRedirects } from "./redirect.ts";
import { traceCommand, traceDeclaration, traceWord } from "./trace.ts";

export async function runSimple(shell: Shell, command: SimpleCommand): Promise<number> {
  shell.line = command.line;
  if (!(await runDebugTrap(shell, command))) return 0;
  shell.substitutionStatus = undefined;
  try {
    return await runExpanded(shell, command);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== "command") throw error;
    await shell.complain(error.message);
    return error.status;
  } finally {
    if (shell.substitutionFds.length > 0) await closeSubstitutions(shell);
  }
}

/** Runs words that are expanded already, as `command` and `builtin` have them. */
export async function runWords(
  shell: Shell,
  words: readonly string[],
  kinds: CommandKinds,
  searchPath?: string,
): Promise<number> {
  const [name = ""] = words;
  const definition = kinds === "all" ? shell.functions.get(name) : undefined;
  if (definition !== undefined) return callFunction(shell, definition, words);
  const builtin = findEnabled(shell, name);
  if (builtin !== undefined) return runBuiltin(shell, builtin, words);
  if (isEnabledDeclaration(shell, name)) return declareVariables(shell, words);
  if (kinds === "builtins")
    throw new ShellError(`builtin: ${name}: not a shell builtin`, "command");
  return runProgram(shell, {
    words,
    plan: undefined,
    environment: undefined,
    command: undefined,
    ...(searchPath === undefined ? {} : { searchPath }),
  });
}

async function runExpanded(shell: Shell, command: SimpleCommand): Promise<number> {
  const [first] = command.words;
  const isDeclaring =
    first?.kind === "word" &&
    first.literal !== undefined &&
    isEnabledDeclaration(shell, first.literal);
  if (isDeclaring && !shell.functions.has(first.literal ?? ""))
    return runDeclaration(shell, command);
  const words = await expandWords(shell, wordsOf(command));
  const [name] = words;
  if (name === undefined) {
    shell.lastArgument = "";
    return runAssignments(shell, command);
  }
  if (isEnabledDeclaration(shell, name) && !shell.functions.has(name))
    return runDeclaration(shell, command);
  try {
    if (!shell.options.has("xtrace")) return await runNamed(shell, command, words);
    const assignments = await traceAssignments(shell, command.assignments);
    await traceCommand(shell, words.map(traceWord).join(" "));
    return await runNamed(shell, { ...command, assignments }, words);
  } finally {
    shell.lastArgument = words.at(-1) ?? "";
  }
}

/** A simple command whose assignments may be expanded already. */
type NamedCommand = Omit<SimpleCommand, "assignments"> & {
  readonly assignments: readonly CommandAssignment[];
};

async function runNamed(
  shell: Shell,
  command: NamedCommand,
  words: readonly string[],
): Promise<number> {
  const [name = ""] = words;
  const isSpecial = shell.options.has("posix") && isSpecialBuiltin(name);
  const definition = isSpecial ? undefined : shell.functions.get(name);
  const builtin = definition === undefined ? findEnabled(shell, name) : undefined;
  if (definition === undefined && builtin === undefined) return startProgram(shell, command, words);
  if (name === "exec") return runExec(shell, command, words);
  if (isSpecial && builtin !== undefined) return runSpecial(shell, command, { builtin, words });
  return withRedirects(shell, command.redirects, () =>
    withAssignments(shell, command.assignments, async () => {
      if (definition !== undefined) return callFunction(shell, definition, words);
      return builtin === undefined ? 127 : runBuiltin(shell, builtin, words);
    }),
  );
}

/** POSIX's special builtins: the assignments stay, and an error ends a shell that is not interactive. */
async function runSpecial(
  shell: Shell,
  command: NamedCommand,
  { builtin, words }: { readonly builtin: Builtin; readonly words: readonly string[] },
): Promise<number> {
  const [name = ""] = words;
  shell.hasRedirectFailed = false;
  const status = await withRedirects(shell, command.redirects, () =>
    keepingAssignments(shell, command.assignments, () => runBuiltin(shell, builtin, words)),
  );
  const isUsage = status === 2 && /^(?:set|export|readonly|unset|trap|shift|times)$/.test(name);
  const isFatal = (isUsage || shell.hasRedirectFailed) && shell.errexitGuards === 0;
  if (isFatal && !shell.isInteractive) throw new ShellExit(status);
  return status;
}

function isEnabledDeclaration(shell: Shell, name: string): boolean {
  return isDeclaration(name) && !shell.disabledBuiltins.has(name);
}

/** What the kernel refuses a builtin is said in the builtin's name. */
async function runBuiltin(
  shell: Shell,
  builtin: Builtin,
  words: readonly string[],
): Promise<number> {
  try {
    return await builtin(shell, words);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`${words[0]}: ${errorWords(error)}`);
    return 1;
  }
}

/** Only assignments and redirections. */
async function runAssignments(shell: Shell, command: SimpleCommand): Promise<number> {
  for (const assignment of command.assignments) {
    const prepared = await prepareAssignment(shell, assignment);
    if (shell.options.has("xtrace")) await traceCommand(shell, describeAssignment(prepared));
    await withSubscripts(shell, () => applyAssignment(shell, prepared));
    if (shell.notices.length > 0) await shell.sayNotices();
    if (prepared.name === "HISTFILESIZE") await truncateHistoryFile(shell);
  }
  const status = shell.substitutionStatus ?? 0;
  return withRedirects(shell, command.redirects, async () => shell.substitutionStatus ?? status);
}

/** `declare` and its kin take assignments as arguments, unsplit and with arrays. */
async function runDeclaration(shell: Shell, command: SimpleCommand): Promise<number> {
  const items: (string | PreparedAssignment)[] = [];
  for (const argument of command.words) {
    if (argument.kind === "assignment")
      items.push(await prepareAssignment(shell, argument, makesKeyed(items)));
    else items.push(...(await expandWords(shell, [argument])));
  }
  if (shell.options.has("xtrace")) await traceDeclaration(shell, items);
  try {
    return await withRedirects(shell, command.redirects, () =>
      withAssignments(shell, command.assignments, () => declareVariables(shell, items)),
    );
  } finally {
    shell.lastArgument = itemText(items.at(-1) ?? "");
  }
}

/** `exec` with a command replaces the shell; without one its redirections stay. */
async function runExec(
  shell: Shell,
  command: NamedCommand,
  words: readonly string[],
): Promise<number> {
  const plan = new RedirectPlan(shell);
  try {
    await plan.open(command.redirects);
    await plan.apply();
  } catch (error) {
    await plan.close();
    await plan.restore();
    throw error;
  }
  if (words.length === 1 || (words.length === 2 && words[1] === "--")) {
    await plan.keep();
    if (!shell.options.has("posix")) return 0;
    return keepingAssignments(shell, command.assignments, async () => 0);
  }
  const builtin = findBuiltin("exec");
  try {
    return await withAssignments(
      shell,
      command.assignments,
      async () => builtin?.(shell, words) ?? 127,
    );
  } finally {
    await plan.restore();
  }
}

async function startProgram(
  shell: Shell,
  command: NamedCommand,
  words: readonly string[],
): Promise<number> {
  const plan = new RedirectPlan(shell);
  try {
    await openForProgram(shell, plan, command.redirects);
    const environment = await commandEnvironment(shell, command.assignments);
    return await runProgram(shell, { words, plan, environment, command });
  } finally {
    await plan.close();
  }
}

/** A program's redirections are its own: what cannot be expanded fails it only. */
async function openForProgram(
  shell: Shell,
  plan: RedirectPlan,
  redirects: readonly Redirect[],
): Promise<void> {
  try {
    await plan.open(redirects);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "command") throw error;
    throw new ShellError(error.message, "command", error.status);
  }
}

function wordsOf({ words }: SimpleCommand): readonly Word[] {
  return words.every((argument) => argument.kind === "word") ? words : words.map(asWord);
}

/** An assignment among the arguments of a command that takes none is a word. */
function asWord(argument: Argument): Word {
  if (argument.kind === "word") return argument;
  const { value, text } = argument;
  if (value.kind === "array") return makeWord([{ kind: "literal", text, isQuoted: true }], text);
  const head = text.slice(0, text.length - value.text.length);
  return makeWord([{ kind: "literal", text: head, isQuoted: true }, ...value.parts], text);
}

async function closeSubstitutions(shell: Shell): Promise<void> {
  for (const fd of shell.substitutionFds.splice(0)) await shell.sys.close(fd);
}
