/** Giving variables values, with their attributes minded. */

import { assignDynamic } from "./dynamic-variables.ts";
import type { Shell } from "./shell.ts";
import { ShellError } from "./shell-error.ts";
import { prepareSubscript, readSubscript } from "./subscript.ts";
import {
  AssociativeArray,
  foldCase,
  IndexedArray,
  isName,
  requireWritable,
  splitElement,
  type Variable,
  type VariableValue,
} from "./variables.ts";
import { isWatched, noticeChange } from "./watched-variables.ts";
import { requireWordRoom } from "./word-limit.ts";

export interface ElementAssignment {
  readonly name: string;
  readonly index: string;
  readonly value: string;
  readonly isAppend: boolean;
}

/** `name=value`, or `name+=value`. */
export function assignScalar(shell: Shell, name: string, value: string, isAppend = false): void {
  const { variables } = shell;
  const own = variables.findUnresolved(name);
  if (own?.isReference === true && assignReference(shell, name, own, { value, isAppend })) return;
  const variable = variables.ensure(name);
  requireWritable(variables.resolve(name), variable);
  if (variable.dynamic !== undefined && assignDynamic(shell, variable, value)) return;
  assignTo(shell, variable, value, isAppend);
  if (isWatched(name)) noticeChange(shell, name);
}

/** Sets the scalar value of a variable, whichever scope it is in. */
export function assignTo(shell: Shell, variable: Variable, value: string, isAppend: boolean): void {
  const { value: held } = variable;
  const first = scalarOf(held);
  const made = valueFor(shell, variable, value, isAppend ? first : undefined);
  shell.variables.charge(made.length);
  if (held instanceof IndexedArray) held.set(0, made);
  else if (held instanceof AssociativeArray) held.set("0", made);
  else variable.value = made;
  if (shell.options.has("allexport")) variable.isExported = true;
  if (variable.isExported) shell.variables.changed();
}

/** The value as a scalar: an array's element 0. */
export function scalarOf(value: VariableValue): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  return value instanceof IndexedArray ? value.get(0) : value.get("0");
}

/** Through a nameref: it may lead to an element, or to nothing yet, and then takes its target. */
function assignReference(
  shell: Shell,
  name: string,
  reference: Variable,
  { value, isAppend }: { readonly value: string; readonly isAppend: boolean },
): boolean {
  if (reference.value === undefined || reference.value === "") {
    requireReferenceName(value);
    requireWritable(name, reference);
    reference.value = value;
    return true;
  }
  const target = shell.variables.follow(name, true);
  if (target?.index === undefined) return false;
  const kind = isKeyed(shell, target.name) ? "key" : "index";
  const index = readSubscript(shell, target.index, kind);
  assignElement(shell, { name: target.name, index, value, isAppend });
  return true;
}

/** The variable of a `for`: a nameref takes each word as its target. */
export function assignLoopName(shell: Shell, name: string, value: string): void {
  const variable = shell.variables.findUnresolved(name);
  if (variable?.isReadonly === true) throw new ShellError(`${name}: readonly variable`, "command");
  if (variable?.isReference !== true) {
    assignScalar(shell, name, value);
    return;
  }
  if (!isName(value) && splitElement(value) === undefined)
    throw new ShellError(`\`${value}': invalid variable name for name reference`, "command");
  variable.value = value;
}

/** Fails where a nameref cannot lead to `text`. */
export function requireReferenceName(text: string): void {
  if (!isName(text) && splitElement(text) === undefined)
    throw new ShellError(`\`${text}': not a valid identifier`);
}

/** `name[index]=value`. An index of an associative array is a key as it stands. */
export function assignElement(shell: Shell, assignment: ElementAssignment): void {
  const { variables } = shell;
  const reference = variables.findUnresolved(assignment.name);
  if (reference?.isReference === true && typeof reference.value === "string") {
    const target = variables.follow(assignment.name);
    if (target?.index !== undefined)
      throw new ShellError(`\`${reference.value}': not a valid identifier`);
  }
  const variable = variables.ensure(assignment.name);
  requireWritable(variables.resolve(assignment.name), variable);
  if (variable.dynamic === "BASH_ALIASES") {
    shell.aliases.set(assignment.index, assignment.value);
    return;
  }
  if (variable.dynamic === "BASH_CMDS") {
    shell.hash.set(assignment.index, assignment.value);
    return;
  }
  if (variable.dynamic === "DIRSTACK" && assignDirectory(shell, assignment)) return;
  if (variable.dynamic !== undefined && assignDynamic(shell, variable, assignment.value)) return;
  setElement(shell, variable, assignment);
  if (shell.options.has("allexport")) variable.isExported = true;
}

/** `DIRSTACK[n]=path` changes the stack of `pushd`, but not the working directory. */
function assignDirectory(shell: Shell, { index, value }: ElementAssignment): boolean {
  const at = Number(shell.interpreter.evaluate(shell, index)) - 1;
  if (at >= 0 && at < shell.directoryStack.length) shell.directoryStack[at] = value;
  return true;
}

/** Sets an element of a variable that becomes an array if it is none yet. */
export function setElement(shell: Shell, variable: Variable, assignment: ElementAssignment): void {
  const { index, value, isAppend, name } = assignment;
  if (variable.value instanceof AssociativeArray) {
    if (index === "") throw new ShellError(`${name}[${index}]: bad array subscript`);
    const before = isAppend ? variable.value.get(index) : undefined;
    const made = valueFor(shell, variable, value, before);
    shell.variables.charge(made.length + index.length);
    variable.value.set(index, made);
    return;
  }
  if (variable.value === undefined || typeof variable.value === "string") requireIndex(name, index);
  const array = toIndexed(variable);
  const at = arrayIndex(shell, array, index, name);
  const made = valueFor(shell, variable, value, isAppend ? array.get(at) : undefined);
  shell.variables.charge(made.length);
  array.set(at, made);
}

/** The value of `name[index]`; the index is evaluated, or is the key as it stands. */
export function readElement(shell: Shell, name: string, index: string): string | undefined {
  const variable = shell.variables.find(name);
  const value = variable && shell.variables.valueOf(variable);
  if (value instanceof AssociativeArray) return value.get(index);
  if (value instanceof IndexedArray) return findIndexed(shell, value, index, name);
  const scalar = new IndexedArray(value === undefined ? [] : [[0, value]]);
  return findIndexed(shell, scalar, index, name);
}

/** The element at an index; one before the start is complained about and unset. */
export function findIndexed(
  shell: Shell,
  array: IndexedArray,
  index: string,
  name: string,
): string | undefined {
  const at = Number(shell.interpreter.evaluate(shell, readSubscript(shell, index, "index")));
  const found = at < 0 ? array.end + at : at;
  if (found < 0) shell.notices.push(`${name}: bad array subscript`);
  return array.get(found);
}

function requireIndex(name: string, index: string): void {
  if (index.trim() === "" || index === "@" || index === "*")
    throw new ShellError(`${name}[${index}]: bad array subscript`);
}

/** An index as a number; a negative one counts from the end. */
function arrayIndex(shell: Shell, array: IndexedArray, index: string, name: string): number {
  requireIndex(name, index);
  const at = Number(shell.interpreter.evaluate(shell, readSubscript(shell, index, "index")));
  const found = at < 0 ? array.end + at : at;
  if (found < 0) throw new ShellError(`${name}[${index}]: bad array subscript`);
  return found;
}

/** Makes a variable an indexed array, its scalar becoming element 0. */
export function toIndexed(variable: Variable): IndexedArray {
  if (variable.value instanceof IndexedArray) return variable.value;
  const array = new IndexedArray();
  if (typeof variable.value === "string") array.set(0, variable.value);
  variable.value = array;
  return array;
}

/** The text to store: evaluated for an integer, folded, appended. */
export function valueFor(
  shell: Shell,
  variable: Variable,
  value: string,
  before: string | undefined,
): string {
  requireWordRoom((before?.length ?? 0) + value.length);
  if (!variable.isInteger) return foldCase(variable, (before ?? "") + value);
  const added = shell.interpreter.evaluate(shell, value);
  const base = before === undefined ? 0n : shell.interpreter.evaluate(shell, before);
  return BigInt.asIntN(64, base + added).toString();
}

/** `name` or `name[index]` as a builtin's operand, with the index's expansions made; undefined: not valid. */
export async function readTarget(
  shell: Shell,
  text: string,
): Promise<{ readonly name: string; readonly index: string | undefined } | undefined> {
  if (isName(text)) return { name: text, index: undefined };
  const element = splitElement(text);
  if (element === undefined || element.index === "") return undefined;
  const kind = isKeyed(shell, element.name) ? "key" : "index";
  await prepareSubscript(shell, element.index, kind);
  return { name: element.name, index: readSubscript(shell, element.index, kind) };
}

/** Gives what a builtin's operand names a value. */
export function assignTarget(
  shell: Shell,
  target: { readonly name: string; readonly index: string | undefined },
  value: string,
): void {
  const { name, index } = target;
  if (index === undefined) assignScalar(shell, name, value);
  else assignElement(shell, { name, index, value, isAppend: false });
}

/** Whether the name is an associative array's. */
export function isKeyed(shell: Shell, name: string): boolean {
  const variable = shell.variables.find(name);
  return variable !== undefined && shell.variables.valueOf(variable) instanceof AssociativeArray;
}
