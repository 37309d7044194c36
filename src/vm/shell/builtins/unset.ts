import { isKeyed } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { prepareSubscript, readSubscript } from "../state/subscript.ts";
import { AssociativeArray, IndexedArray, isName, splitElement } from "../state/variables.ts";
import { isWatched, noticeChange } from "../state/watched-variables.ts";
import { readFlags } from "./builtin.ts";

export async function unset(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "fvn", "unset [-f] [-v] [-n] [name ...]");
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  if (on.has("f") && on.has("v")) {
    await shell.complain("unset: cannot simultaneously unset a function and a variable");
    return 1;
  }
  let status = 0;
  for (const operand of operands) {
    if (on.has("f")) {
      if (!(await unsetFunction(shell, operand))) status = 1;
      continue;
    }
    try {
      if (!(await unsetVariable(shell, operand, on)) && !on.has("v") && !on.has("n"))
        if (!(await unsetFunction(shell, operand))) status = 1;
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      await shell.complain(`unset: ${error.message}`);
      status = 1;
    }
  }
  return status;
}

/** Answers whether there was such a variable. */
async function unsetVariable(
  shell: Shell,
  operand: string,
  on: ReadonlySet<string>,
): Promise<boolean> {
  const { variables } = shell;
  const element = splitElement(operand);
  if (element !== undefined) {
    await unsetElement(shell, element.name, element.index);
    return true;
  }
  if (!isName(operand)) {
    if (on.has("v")) throw new ShellError(`\`${operand}': not a valid identifier`);
    return false;
  }
  const target = on.has("n") ? undefined : variables.follow(operand);
  if (on.has("n") && variables.findUnresolved(operand)?.isReference !== true) return false;
  if (target?.index !== undefined) {
    await unsetElement(shell, target.name, target.index);
    return true;
  }
  const name = target?.name ?? operand;
  if (variables.findUnresolved(name) === undefined) return false;
  variables.unset(name, shell.options.has("localvar_unset"));
  if (isWatched(name)) noticeChange(shell, name);
  return true;
}

async function unsetElement(shell: Shell, name: string, text: string): Promise<void> {
  const variable = shell.variables.find(name);
  if (variable === undefined) return;
  const { value } = variable;
  if (variable.isReadonly) throw new ShellError(`${name}: cannot unset: readonly variable`);
  const kind = isKeyed(shell, name) ? "key" : "index";
  await prepareSubscript(shell, text, kind);
  const index = readSubscript(shell, text, kind);
  if (value instanceof AssociativeArray) {
    value.delete(index);
    return;
  }
  if (value instanceof IndexedArray) {
    unsetIndexed(shell, name, value, index);
    return;
  }
  const at = Number(shell.interpreter.evaluate(shell, index));
  if (at !== 0 || value === undefined) throw new ShellError(`${name}: not an array variable`);
  shell.variables.unset(shell.variables.resolve(name));
}

function unsetIndexed(shell: Shell, name: string, array: IndexedArray, index: string): void {
  if (index === "@" || index === "*") {
    shell.variables.unset(shell.variables.resolve(name));
    return;
  }
  const at = Number(shell.interpreter.evaluate(shell, index));
  const found = at < 0 ? array.end + at : at;
  if (found < 0) throw new ShellError(`[${index}]: bad array subscript`);
  array.delete(found);
}

async function unsetFunction(shell: Shell, name: string): Promise<boolean> {
  if (shell.functions.get(name)?.isReadonly === true) {
    await shell.complain(`unset: ${name}: cannot unset: readonly function`);
    return false;
  }
  shell.functions.delete(name);
  return true;
}
