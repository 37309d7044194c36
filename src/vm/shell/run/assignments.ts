/** Assignments: first expanded, then made, so that `local` and a command's scope can come between. */

import { quoteIfNeeded, quoteText } from "../expansion/quote-text.ts";
import { expandAssigned, expandText, expandWords } from "../expansion/word.ts";
import { assignElement, assignScalar, isKeyed, setElement, toIndexed } from "../state/assign.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { prepareSubscript, readSubscript } from "../state/subscript.ts";
import {
  AssociativeArray,
  IndexedArray,
  requireWritable,
  type Variable,
} from "../state/variables.ts";
import type { ArrayElement, Assignment, Word } from "../syntax/ast.ts";
import { makeWord } from "../syntax/make-word.ts";

/** An assignment with its right side expanded. */
export interface PreparedAssignment {
  readonly name: string;
  readonly index: string | undefined;
  readonly isAppend: boolean;
  readonly value: string | readonly PreparedElement[];
  /** The value as written, for `set -x`, where it is an array. */
  readonly text?: string;
}

export interface PreparedElement {
  readonly index: string | undefined;
  readonly isAppend: boolean;
  readonly value: string;
  /** `[index]=value` as it is without an index's meaning: a key of its own where keys and values alternate. */
  readonly whole?: string;
}

/** `isKeyed`: the name is about to become an associative array. */
export async function prepareAssignment(
  shell: Shell,
  assignment: Assignment,
  isKeyedSoon = false,
): Promise<PreparedAssignment> {
  const { name, isAppend, value } = assignment;
  const hasKeys = isKeyedSoon || isKeyed(shell, name);
  const index =
    assignment.index && (await prepareIndex(shell, assignment.index, hasKeys ? "key" : "index"));
  if (name === "SECONDS") await askKernel(shell, name);
  await prepareReference(shell, name);
  if (value.kind === "word") {
    const text = await expandAssigned(shell, value);
    return { name, index, isAppend, value: text };
  }
  const elements: PreparedElement[] = [];
  for (const element of value.elements)
    elements.push(...(await prepareElement(shell, element, hasKeys)));
  return { name, index, isAppend, value: elements, text: assignment.text };
}

/** A nameref that leads to an element may have expansions in its subscript. */
async function prepareReference(shell: Shell, name: string): Promise<void> {
  const { variables } = shell;
  if (variables.findUnresolved(name)?.isReference !== true) return;
  const target = variables.follow(name, true);
  if (target?.index === undefined) return;
  await prepareSubscript(shell, target.index, isKeyed(shell, target.name) ? "key" : "index");
}

/** An index as it counts: a key without its quotes, or arithmetic with its expansions made. */
async function prepareIndex(shell: Shell, index: Word, kind: "key" | "index"): Promise<string> {
  if (kind === "index" && index.text.includes("'"))
    return shell.interpreter.expandSubscript(shell, index.text, "index");
  const text = await expandText(shell, index);
  if (kind === "index") await askKernel(shell, text);
  return text;
}

async function prepareElement(
  shell: Shell,
  element: ArrayElement,
  hasKeys: boolean,
): Promise<PreparedElement[]> {
  if (element.index === undefined || (element.value.hasBraces && !hasKeys)) {
    const words =
      element.index === undefined
        ? await expandWords(shell, [element.value])
        : await expandWords(shell, [wholeWord(element)]);
    return words.map((value) => ({ index: undefined, isAppend: false, value }));
  }
  const index = await prepareIndex(shell, element.index, hasKeys ? "key" : "index");
  const value = hasKeys
    ? await expandText(shell, withoutTilde(element.value))
    : await expandAssigned(shell, element.value);
  return [{ index, isAppend: element.isAppend, value, whole: `[${index}]=${value}` }];
}

/** `[index]=value` as a plain word. */
function wholeWord({ index, isAppend, value }: ArrayElement): Word {
  const literal = (text: string) => ({ kind: "literal", text, isQuoted: false }) as const;
  const parts = [
    literal("["),
    ...(index?.parts ?? []),
    literal(isAppend ? "]+=" : "]="),
    ...value.parts,
  ];
  return makeWord(parts, value.text);
}

/** Bash 5.2 leaves tildes after `[key]=` of an associative array alone. */
function withoutTilde(word: Word): Word {
  const [first, ...rest] = word.parts;
  if (first?.kind !== "literal" || first.isQuoted || !first.text.startsWith("~")) return word;
  return makeWord([{ ...first, isQuoted: true }, ...rest], word.text);
}

/** Makes an assignment. Fails on a readonly variable. */
export function applyAssignment(shell: Shell, assignment: PreparedAssignment): void {
  const { name, index, isAppend, value } = assignment;
  if (typeof value !== "string") {
    if (index !== undefined)
      throw new ShellError(`${name}[${index}]: cannot assign list to array member`);
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
  const { variables } = shell;
  const reference = variables.findUnresolved(name);
  if (reference?.isReference === true) {
    if (typeof reference.value !== "string" || reference.value === "")
      reference.isReference = false;
    else if (variables.follow(name)?.index !== undefined)
      throw new ShellError(`\`${reference.value}': not a valid identifier`);
  }
  const variable = variables.ensure(name);
  assignElements(shell, variable, { name: variables.resolve(name), elements, isAppend });
}

export interface ElementsAssignment {
  readonly name: string;
  readonly elements: readonly PreparedElement[];
  readonly isAppend: boolean;
}

/** Gives a variable, in whichever scope, the elements of an array literal. */
export function assignElements(
  shell: Shell,
  variable: Variable,
  assignment: ElementsAssignment,
): void {
  requireWritable(assignment.name, variable);
  variable.dynamic = undefined;
  const isKeyedArray = variable.value instanceof AssociativeArray;
  const before = variable.value;
  if (!assignment.isAppend)
    variable.value = isKeyedArray ? new AssociativeArray() : new IndexedArray();
  else if (!isKeyedArray) toIndexed(variable);
  if (typeof variable.value === "object") variable.value.isAssigned = true;
  try {
    if (isKeyedArray) assignKeyed(shell, variable, assignment);
    else assignIndexed(shell, variable, assignment);
  } catch (error) {
    if (!assignment.isAppend && error instanceof ShellError && error.message.includes("subscript"))
      variable.value = before;
    throw error;
  }
  if (shell.options.has("allexport")) variable.isExported = true;
  shell.variables.changed();
}

function assignIndexed(
  shell: Shell,
  variable: Variable,
  { name, elements }: ElementsAssignment,
): void {
  const array = toIndexed(variable);
  let next = array.end;
  for (const { index, value, isAppend } of elements) {
    const at =
      index === undefined || index.trim() === ""
        ? next
        : Number(shell.interpreter.evaluate(shell, readSubscript(shell, index, "index")));
    if (index !== undefined && index.trim() === "") {
      shell.notices.push(`[${index}]=${value}: bad array subscript`);
      continue;
    }
    const place = at < 0 ? array.end + at : at;
    if (place < 0) {
      shell.notices.push(`[${index}]=${value}: bad array subscript`);
      continue;
    }
    setElement(shell, variable, { name, index: String(place), value, isAppend });
    next = place + 1;
  }
}

/** Without `[key]=` the words are keys and values in turn. */
function assignKeyed(
  shell: Shell,
  variable: Variable,
  { name, elements }: ElementsAssignment,
): void {
  const arePairs = elements[0] !== undefined && elements[0].index === undefined;
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at];
    if (element === undefined) return;
    if (!arePairs) {
      if (element.index === undefined)
        shell.notices.push(
          `${name}: ${quoteText(element.value)}: must use subscript when assigning associative array`,
        );
      else if (element.index === "")
        shell.notices.push(`['']=${quoteText(element.value)}: bad array subscript`);
      else setElement(shell, variable, { ...element, name, index: element.index });
      continue;
    }
    const key = element.whole ?? element.value;
    at += 1;
    const following = elements[at];
    const value = following?.whole ?? following?.value ?? "";
    if (key === "") shell.notices.push("'': bad array subscript");
    else setElement(shell, variable, { name, index: key, value, isAppend: false });
  }
}

/** As `set -x` shows it. */
export function describeAssignment(assignment: PreparedAssignment): string {
  const { name, index, isAppend, value, text } = assignment;
  const head = `${name}${index === undefined ? "" : `[${index}]`}${isAppend ? "+" : ""}=`;
  if (typeof value === "string") return head + (value === "" ? "" : quoteIfNeeded(value));
  if (text !== undefined) return text;
  const elements = value.map((element) =>
    element.index === undefined
      ? quoteText(element.value)
      : `[${element.index}]=${quoteIfNeeded(element.value)}`,
  );
  return `${head}(${elements.join(" ")})`;
}
