/** A simple command: expand, assign, redirect, then function, builtin or program. */
import { errnoWords, isKernelError } from "../../../kernel/index.ts";
import type { Builtin } from "../builtins/builtin.ts";
import { findBuiltin } from "../builtins/registry.ts";
import { quoteIfNeeded } from "../expansion/quote-text.ts";
import { expandWords } from "../expansion/word.ts";
import type { CommandKinds, Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { makeWord } from "../syntax/adapt-word.ts";
import type { Argument, Assignment, SimpleCommand, Word } from "../syntax/ast.ts";
import {
  applyAssignment,
  describeAssignment,
  type PreparedAssignment,
  prepareAssignment,
} from "./assignments.ts";
import { callFunction } from "./call-function.ts";
import { declareVariables, isDeclaration } from "./declare-variables.ts";
import { runProgram } from "./program-command.ts";
import { RedirectPlan, withRedirects } from "./redirect.ts";
import { runTrap } from "./run-trap.ts";
import { traceCommand } from "./trace.ts";

export async function runSimple(shell: Shell, command: SimpleCommand): Promise<number> {
  shell.line = command.line;
  if (shell.traps.get("DEBUG") !== undefined) await runTrap(shell, "DEBUG");
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
): Promise<number> {
  const [name = ""] = words;
  const definition = kinds === "all" ? shell.functions.get(name) : undefined;
  if (definition !== undefined) return callFunction(shell, definition, words);
  const builtin = findBuiltin(name);
  if (builtin !== undefined) return runBuiltin(shell, builtin, words);
  if (isDeclaration(name)) return declareVariables(shell, words);
  if (kinds === "builtins")
    throw new ShellError(`builtin: ${name}: not a shell builtin`, "command");
  return runProgram(shell, { words, plan: undefined, environment: undefined, command: undefined });
}

async function runExpanded(shell: Shell, command: SimpleCommand): Promise<number> {
  const [first] = command.words;
  const isDeclaring =
    first?.kind === "word" && first.literal !== undefined && isDeclaration(first.literal);
  if (isDeclaring && !shell.functions.has(first.literal ?? ""))
    return runDeclaration(shell, command);
  const words = await expandWords(shell, command.words.map(asWord));
  const [name] = words;
  if (name === undefined) return runAssignments(shell, command);
  if (isDeclaration(name) && !shell.functions.has(name)) return runDeclaration(shell, command);
  if (shell.options.has("xtrace")) await traceSimple(shell, command, words);
  const definition = shell.functions.get(name);
  const builtin = definition === undefined ? findBuiltin(name) : undefined;
  if (definition === undefined && builtin === undefined) return startProgram(shell, command, words);
  if (name === "exec") return runExec(shell, command, words);
  return withRedirects(shell, command.redirects, () =>
    withAssignments(shell, command.assignments, async () => {
      if (definition !== undefined) return callFunction(shell, definition, words);
      return builtin === undefined ? 127 : runBuiltin(shell, builtin, words);
    }),
  );
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
    await shell.complain(`${words[0]}: ${errnoWords(error.errno)}`);
    return 1;
  }
}

/** Only assignments and redirections. */
async function runAssignments(shell: Shell, command: SimpleCommand): Promise<number> {
  for (const assignment of command.assignments) {
    const prepared = await prepareAssignment(shell, assignment);
    if (shell.options.has("xtrace")) await traceCommand(shell, describeAssignment(prepared));
    applyAssignment(shell, prepared);
  }
  const status = shell.substitutionStatus ?? 0;
  return withRedirects(shell, command.redirects, async () => shell.substitutionStatus ?? status);
}

/** Runs `step` while the assignments before a command hold, exported, in a scope of their own. */
async function withAssignments(
  shell: Shell,
  assignments: readonly Assignment[],
  step: () => Promise<number>,
): Promise<number> {
  if (assignments.length === 0) return step();
  const { variables } = shell;
  variables.pushScope("command");
  try {
    for (const written of assignments) {
      const assignment = await prepareAssignment(shell, written);
      if (variables.find(assignment.name)?.isReadonly === true) {
        await shell.complain(`${assignment.name}: readonly variable`);
        continue;
      }
      const before = variables.get(assignment.name);
      const variable = variables.ensureInnermost(assignment.name);
      if (assignment.isAppend) variable.value = before;
      applyAssignment(shell, assignment);
      variable.isExported = true;
      variables.changed();
    }
    return await step();
  } finally {
    variables.popScope();
  }
}

/** `declare` and its kin take assignments as arguments, unsplit and with arrays. */
async function runDeclaration(shell: Shell, command: SimpleCommand): Promise<number> {
  const items: (string | PreparedAssignment)[] = [];
  for (const argument of command.words) {
    if (argument.kind === "assignment") items.push(await prepareAssignment(shell, argument));
    else items.push(...(await expandWords(shell, [argument])));
  }
  if (shell.options.has("xtrace")) {
    const shown = items.map((item) =>
      typeof item === "string" ? quoteIfNeeded(item) : describeAssignment(item),
    );
    await traceCommand(shell, shown.join(" "));
  }
  return withRedirects(shell, command.redirects, () =>
    withAssignments(shell, command.assignments, () => declareVariables(shell, items)),
  );
}

/** `exec` with a command replaces the shell; without one its redirections stay. */
async function runExec(
  shell: Shell,
  command: SimpleCommand,
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
    return 0;
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
  command: SimpleCommand,
  words: readonly string[],
): Promise<number> {
  const plan = new RedirectPlan(shell);
  try {
    await plan.open(command.redirects);
    const environment = await commandEnvironment(shell, command.assignments);
    return await runProgram(shell, { words, plan, environment, command });
  } finally {
    await plan.close();
  }
}

/** The exported variables with the assignments before the command; undefined where there are none. */
async function commandEnvironment(
  shell: Shell,
  assignments: readonly Assignment[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (assignments.length === 0) return undefined;
  let environment: ReadonlyMap<string, string> = new Map();
  await withAssignments(shell, assignments, async () => {
    environment = new Map(shell.variables.environment());
    return 0;
  });
  return environment;
}

async function traceSimple(
  shell: Shell,
  command: SimpleCommand,
  words: readonly string[],
): Promise<void> {
  for (const assignment of command.assignments) {
    await traceCommand(shell, describeAssignment(await prepareAssignment(shell, assignment)));
  }
  await traceCommand(shell, words.map(quoteIfNeeded).join(" "));
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
