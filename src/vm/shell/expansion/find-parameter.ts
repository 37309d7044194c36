/** What a parameter's value is, before any operator. */
import { readElement } from "../state/assign.ts";
import { askKernel } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { prepareSubscript, readSubscript } from "../state/subscript.ts";
import {
  AssociativeArray,
  type IndexedArray,
  isName,
  splitElement,
  type Variable,
} from "../state/variables.ts";

/** A value before its operator: text (undefined is unset), or all of `@`, `*` or an array. */
export type Subject =
  | { readonly kind: "text"; readonly text: string | undefined }
  | {
      readonly kind: "list";
      readonly values: readonly string[];
      readonly keys: readonly string[];
      readonly isStar: boolean;
    };

/** The value of a name, with an index where there is one. */
export async function findSubject(
  shell: Shell,
  name: string,
  index: string | undefined,
): Promise<Subject> {
  const variable = shell.variables.findUnresolved(name);
  if (variable === undefined) return findAbsent(shell, name, index);
  if (variable.dynamic !== undefined) await askKernel(shell, name);
  if (variable.isReference) return findReferred(shell, name, index);
  if (index === undefined) return { kind: "text", text: shell.variables.get(name) };
  if (index === "@" || index === "*") return findArray(shell, name, index === "*");
  return { kind: "text", text: readElement(shell, name, index) };
}

/** A plain name's text where it is at hand; undefined where it is none, unset or has to be asked for. */
export function textNow(shell: Shell, name: string): string | undefined {
  const variable = shell.variables.findUnresolved(name);
  if (variable === undefined) return findSpecial(shell, name);
  const isAsked = variable.dynamic !== undefined || variable.isReference;
  return isAsked || typeof variable.value !== "string" ? undefined : variable.value;
}

function findAbsent(shell: Shell, name: string, index: string | undefined): Subject {
  if (name === "@" || name === "*") {
    const values = shell.positional;
    const keys = values.map((_, at) => String(at + 1));
    return { kind: "list", values, keys, isStar: name === "*" };
  }
  if (index === undefined) return { kind: "text", text: findSpecial(shell, name) };
  if (index === "@" || index === "*") return findArray(shell, name, index === "*");
  return { kind: "text", text: readElement(shell, name, index) };
}

/** A nameref may lead to an element: `declare -n r='a[1]'`. */
async function findReferred(
  shell: Shell,
  name: string,
  index: string | undefined,
): Promise<Subject> {
  const { variables } = shell;
  const target = variables.follow(name);
  if (target === undefined) return { kind: "text", text: undefined };
  if (target.isGlobal) {
    const found = variables.findGlobal(target.name);
    const value = found && variables.valueOf(found);
    if (index === "@" || index === "*") return listOf(value, index === "*");
    return { kind: "text", text: typeof value === "string" ? value : value?.values[0] };
  }
  if (target.index !== undefined && index !== undefined)
    return index === "@" || index === "*"
      ? { kind: "list", values: [], keys: [], isStar: index === "*" }
      : { kind: "text", text: undefined };
  const last = variables.findUnresolved(target.name);
  if (last?.isReference === true) return { kind: "text", text: undefined };
  if (target.index === undefined) return findSubject(shell, target.name, index);
  return findSubject(shell, target.name, await subscriptOf(shell, target.name, target.index));
}

/** A subscript that comes as text, expanded as its array's kind wants it. */
export async function subscriptOf(shell: Shell, name: string, text: string): Promise<string> {
  if (text === "@" || text === "*") return text;
  const variable = shell.variables.find(name);
  const value = variable && shell.variables.valueOf(variable);
  const kind = value instanceof AssociativeArray ? "key" : "index";
  await prepareSubscript(shell, text, kind);
  return readSubscript(shell, text, kind);
}

/** All elements of an array; a scalar is an array of one. */
export function findArray(shell: Shell, name: string, isStar: boolean): Subject {
  const variable: Variable | undefined = shell.variables.find(name);
  const value =
    variable === undefined ? findSpecial(shell, name) : shell.variables.valueOf(variable);
  return listOf(value, isStar);
}

function listOf(
  value: string | IndexedArray | AssociativeArray | undefined,
  isStar: boolean,
): Subject {
  if (value === undefined) return { kind: "list", values: [], keys: [], isStar };
  if (typeof value === "string") return { kind: "list", values: [value], keys: ["0"], isStar };
  return { kind: "list", values: value.values, keys: value.keys.map(String), isStar };
}

/** `$?` and the like; undefined for a variable's name and for a position that is not set. */
function findSpecial(shell: Shell, name: string): string | undefined {
  if (/^\d+$/.test(name))
    return Number(name) === 0 ? shell.name : shell.positional[Number(name) - 1];
  switch (name) {
    case "?":
      return String(shell.status);
    case "#":
      return String(shell.positional.length);
    case "$":
      return String(shell.pid);
    case "!":
      return shell.lastBackgroundPid === undefined ? undefined : String(shell.lastBackgroundPid);
    case "-":
      return flagLetters(shell);
    default:
      return undefined;
  }
}

/** Whether `${!name}` can lead to the text. */
export function isParameterName(text: string): boolean {
  return isName(text) || /^(?:\d+|[@*#?$!-])$/.test(text) || splitElement(text) !== undefined;
}

/** `$-`: `i` stands among the options, how the shell was started behind them. */
function flagLetters({ options, isInteractive, startLetters }: Shell): string {
  const letters = options.letters;
  if (!isInteractive) return letters + startLetters;
  const at = letters.search(/[k-zA-Z]/);
  const place = at === -1 ? letters.length : at;
  return `${letters.slice(0, place)}i${letters.slice(place)}${startLetters}`;
}
