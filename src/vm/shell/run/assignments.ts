/** Assignments: first expanded, then made, so that `local` and a command's scope can come between. */

import { quoteIfNeeded } from "../expansion/quote-text.ts";
import { expandAssigned, expandText, expandWords } from "../expansion/word.ts";
import { assignElement, assignScalar, setElement, toIndexed } from "../state/assign.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, IndexedArray, requireWritable } from "../state/variables.ts";
import type { ArrayElement, Assignment } from "../syntax/ast.ts";

/** An assignment with its right side expanded. */
export interface PreparedAssignment {
  readonly name: string;
  readonly index: string | undefined;
  readonly isAppend: boolean;
  readonly value: string | readonly PreparedElement[];
}

export interface PreparedElement {
  readonly index: string | undefined;
  readonly isAppend: boolean;
  readonly value: string;
}

export async function prepareAssignment(
  shell: Shell,
  assignment: Assignment,
): Promise<PreparedAssignment> {
  const { name, isAppend, value } = assignment;
  const index = assignment.index && (await expandText(shell, assignment.index));
  if (index !== undefined) await askKernel(shell, index);
  if (value.kind === "word")
    return { name, index, isAppend, value: await expandAssigned(shell, value) };
  const elements: PreparedElement[] = [];
  for (const element of value.elements) elements.push(...(await prepareElement(shell, element)));
  return { name, index, isAppend, value: elements };
}

async function prepareElement(shell: Shell, element: ArrayElement): Promise<PreparedElement[]> {
  if (element.index === undefined) {
    const words = await expandWords(shell, [element.value]);
    return words.map((value) => ({ index: undefined, isAppend: false, value }));
  }
  const index = await expandText(shell, element.index);
  return [{ index, isAppend: element.isAppend, value: await expandAssigned(shell, element.value) }];
}

/** Makes an assignment. Fails on a readonly variable. */
export function applyAssignment(shell: Shell, assignment: PreparedAssignment): void {
  const { name, index, isAppend, value } = assignment;
  if (typeof value !== "string") {
    if (index !== undefined)
      throw new ShellError(`${name}[${index}]: cannot assign list to array member`, "command");
    assignArray(shell, name, value, isAppend);
  } else if (index === undefined) {
    assignScalar(shell, name, value, isAppend);
  } else {
    assignElement(shell, { name, index, value, isAppend });
  }
}

function assignArray(
  shell: Shell,
  name: string,
  elements: readonly PreparedElement[],
  isAppend: boolean,
): void {
  const variable = shell.variables.ensure(name);
  requireWritable(name, variable);
  const isKeyed = variable.value instanceof AssociativeArray;
  if (!isAppend) variable.value = isKeyed ? new AssociativeArray() : new IndexedArray();
  else if (!isKeyed) toIndexed(variable);
  if (isKeyed) assignKeyed(shell, name, elements);
  else assignIndexed(shell, name, elements);
  if (shell.options.has("allexport")) variable.isExported = true;
  shell.variables.changed();
}

function assignIndexed(shell: Shell, name: string, elements: readonly PreparedElement[]): void {
  const variable = shell.variables.ensure(name);
  const array = toIndexed(variable);
  let next = array.end;
  for (const { index, value, isAppend } of elements) {
    const at = index === undefined ? next : Number(shell.interpreter.evaluate(shell, index));
    setElement(shell, variable, { name, index: String(at), value, isAppend });
    next = (at < 0 ? array.end + at : at) + 1;
  }
}

/** Without `[key]=` the words are keys and values in turn. */
function assignKeyed(shell: Shell, name: string, elements: readonly PreparedElement[]): void {
  const variable = shell.variables.ensure(name);
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at];
    if (element === undefined) return;
    if (element.index !== undefined) {
      setElement(shell, variable, {
        name,
        index: element.index,
        value: element.value,
        isAppend: element.isAppend,
      });
      continue;
    }
    at += 1;
    setElement(shell, variable, {
      name,
      index: element.value,
      value: elements[at]?.value ?? "",
      isAppend: false,
    });
  }
}

/** As `set -x` shows it. */
export function describeAssignment({ name, index, isAppend, value }: PreparedAssignment): string {
  const head = `${name}${index === undefined ? "" : `[${index}]`}${isAppend ? "+" : ""}=`;
  if (typeof value === "string") return head + (value === "" ? "" : quoteIfNeeded(value));
  const elements = value.map((element) =>
    element.index === undefined
      ? quoteIfNeeded(element.value)
      : `[${element.index}]=${quoteIfNeeded(element.value)}`,
  );
  return `${head}(${elements.join(" ")})`;
}
