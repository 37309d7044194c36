/** Giving variables values, with their attributes minded. */

import type { Shell } from "./shell.ts";
import { ShellError } from "./shell-error.ts";
import {
  AssociativeArray,
  foldCase,
  IndexedArray,
  requireWritable,
  type Variable,
} from "./variables.ts";
import { requireWordRoom } from "./word-limit.ts";

export interface ElementAssignment {
  readonly name: string;
  readonly index: string;
  readonly value: string;
  readonly isAppend: boolean;
}

/** `name=value`, or `name+=value`. */
export function assignScalar(shell: Shell, name: string, value: string, isAppend = false): void {
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(shell.variables.resolve(name));
  if (element !== null) {
    assignElement(shell, { name: element[1] ?? "", index: element[2] ?? "", value, isAppend });
    return;
  }
  const variable = shell.variables.find(name);
  if (variable === undefined) {
    shell.variables.set(name, value);
    if (shell.options.has("allexport")) shell.variables.ensure(name).isExported = true;
    return;
  }
  requireWritable(name, variable);
  const before = isAppend ? shell.variables.get(name) : undefined;
  shell.variables.set(name, valueFor(shell, variable, value, before));
  if (shell.options.has("allexport")) variable.isExported = true;
}

/** `name[index]=value`. */
export function assignElement(shell: Shell, assignment: ElementAssignment): void {
  const name = shell.variables.resolve(assignment.name);
  const variable = shell.variables.ensure(name);
  requireWritable(name, variable);
  setElement(shell, variable, assignment);
  shell.variables.changed();
}

/** Sets an element of a variable that becomes an array if it is none yet. */
export function setElement(shell: Shell, variable: Variable, assignment: ElementAssignment): void {
  const { index, value, isAppend } = assignment;
  if (variable.value instanceof AssociativeArray) {
    const before = isAppend ? variable.value.elements.get(index) : undefined;
    variable.value.elements.set(index, valueFor(shell, variable, value, before));
    return;
  }
  const array = toIndexed(variable);
  const at = arrayIndex(shell, array, index, assignment.name);
  const before = isAppend ? array.elements.get(at) : undefined;
  array.elements.set(at, valueFor(shell, variable, value, before));
}

/** The value of `name[index]`; an index of another kind than the array's is evaluated or taken as key. */
export function readElement(shell: Shell, name: string, index: string): string | undefined {
  const value = shell.variables.find(name)?.value;
  if (value instanceof AssociativeArray) return value.elements.get(index);
  if (value === undefined) return undefined;
  const array = typeof value === "string" ? new IndexedArray([[0, value]]) : value;
  return findIndexed(shell, array, index, name);
}

/** The element at an index; one before the start is complained about and unset. */
export function findIndexed(
  shell: Shell,
  array: IndexedArray,
  index: string,
  name: string,
): string | undefined {
  const at = Number(shell.interpreter.evaluate(shell, index));
  const found = at < 0 ? array.end + at : at;
  if (found < 0) shell.notices.push(`${name}: bad array subscript`);
  return array.elements.get(found);
}

/** An index as a number; a negative one counts from the end. */
function arrayIndex(shell: Shell, array: IndexedArray, index: string, name: string): number {
  if (index === "") throw new ShellError(`${name}[${index}]: bad array subscript`);
  const at = Number(shell.interpreter.evaluate(shell, index));
  const found = at < 0 ? array.end + at : at;
  if (found < 0) throw new ShellError(`${name}[${index}]: bad array subscript`);
  return found;
}

/** Makes a variable an indexed array, its scalar becoming element 0. */
export function toIndexed(variable: Variable): IndexedArray {
  if (variable.value instanceof IndexedArray) return variable.value;
  const array = new IndexedArray();
  if (typeof variable.value === "string") array.elements.set(0, variable.value);
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
