/** The value that a declaration gives its variable. */
import { assignTo, setElement } from "../state/assign.ts";
import { assignDynamic } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { withSubscripts } from "../state/subscript.ts";
import { AssociativeArray, IndexedArray, type Variable } from "../state/variables.ts";
import { parse } from "../syntax/parse.ts";
import { assignElements, type PreparedAssignment, prepareAssignment } from "./assignments.ts";
import type { Operand, Wish } from "./declare-variables.ts";

/** Gives `variable`, found in its scope already, the operand's value. */
export async function giveValue(
  shell: Shell,
  wish: Wish,
  variable: Variable,
  operand: Operand,
): Promise<void> {
  if (operand.isBare) return;
  const assignment = (await readList(shell, variable, operand)) ?? operand;
  const { name, index, isAppend, value } = assignment;
  if (typeof value !== "string") {
    if (index !== undefined)
      throw new ShellError(`${name}[${index}]: cannot assign list to array member`, "command");
    if (variable.isReference) variable.isReference = false;
    assignElements(shell, variable, { name, elements: value, isAppend });
    return;
  }
  if (wish.on.has("n") && wish.command !== "export" && wish.command !== "readonly") {
    if (!wish.on.has("i")) variable.value = value;
    else await withSubscripts(shell, () => assignTo(shell, variable, value, isAppend));
    return;
  }
  if (index !== undefined) setElement(shell, variable, { name, index, value, isAppend });
  else if (variable.dynamic === undefined || !assignDynamic(shell, variable, value))
    await withSubscripts(shell, () => assignTo(shell, variable, value, isAppend));
}

/** `declare -a "x=(1 2)"`: an array's literal that came out of an expansion. */
async function readList(
  shell: Shell,
  variable: Variable,
  { name, index, isAppend, value }: Operand,
): Promise<PreparedAssignment | undefined> {
  const isArray =
    variable.value instanceof IndexedArray || variable.value instanceof AssociativeArray;
  if (!isArray || index !== undefined || typeof value !== "string") return undefined;
  if (!value.startsWith("(") || !value.endsWith(")")) return undefined;
  const { statements } = parse(`${name}=${value}`);
  const command = statements[0]?.command;
  if (statements.length !== 1 || command?.kind !== "simple") return undefined;
  const [assignment] = command.assignments;
  if (assignment?.value.kind !== "array") return undefined;
  const isKeyed = variable.value instanceof AssociativeArray;
  return prepareAssignment(shell, { ...assignment, isAppend }, isKeyed);
}
