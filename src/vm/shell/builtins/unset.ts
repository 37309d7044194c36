import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, IndexedArray, isName } from "../state/variables.ts";
import { readFlags } from "./builtin.ts";

export async function unset(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "fvn", "unset [-f] [-v] [-n] [name ...]");
  if (flags === undefined) return 2;
  let status = 0;
  for (const operand of flags.operands) {
    if (flags.on.has("f")) {
      shell.functions.delete(operand);
      continue;
    }
    try {
      if (!unsetVariable(shell, operand, flags.on.has("n")) && !flags.on.has("v"))
        shell.functions.delete(operand);
    } catch (error) {
      if (!(error instanceof ShellError)) throw error;
      await shell.complain(`unset: ${error.message}`);
      status = 1;
    }
  }
  return status;
}

/** Answers whether there was such a variable. */
function unsetVariable(shell: Shell, operand: string, isReference: boolean): boolean {
  const { variables } = shell;
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(operand);
  if (element !== null) {
    unsetElement(shell, element[1] ?? "", element[2] ?? "");
    return true;
  }
  if (!isName(operand)) throw new ShellError(`\`${operand}': not a valid identifier`);
  const name = isReference ? operand : variables.resolve(operand);
  if (variables.findUnresolved(name) === undefined) return false;
  variables.unset(name);
  return true;
}

function unsetElement(shell: Shell, name: string, index: string): void {
  const variable = shell.variables.find(name);
  const value = variable?.value;
  if (variable?.isReadonly === true)
    throw new ShellError(`${name}: cannot unset: readonly variable`);
  if (value instanceof AssociativeArray) {
    value.elements.delete(index);
    return;
  }
  if (index === "@" || index === "*") {
    if (value !== undefined) shell.variables.unset(name);
    return;
  }
  const at = Number(shell.interpreter.evaluate(shell, index));
  if (value instanceof IndexedArray) {
    const found = at < 0 ? value.end + at : at;
    if (found < 0) throw new ShellError(`[${index}]: bad array subscript`);
    value.elements.delete(found);
  } else if (at === 0) {
    shell.variables.unset(name);
  } else if (value !== undefined) {
    throw new ShellError(`${name}: not an array variable`);
  }
}
