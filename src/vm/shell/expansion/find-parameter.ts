/** What a parameter's value is, before any operator. */
import { findIndexed, readElement } from "../state/assign.ts";
import { askKernel, findDynamic, findDynamicArray } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { AssociativeArray, IndexedArray } from "../state/variables.ts";

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
  if (name === "@" || name === "*") {
    const values = shell.positional;
    return {
      kind: "list",
      values,
      keys: values.map((_, at) => String(at + 1)),
      isStar: name === "*",
    };
  }
  if (index === "@" || index === "*") return findArray(shell, name, index === "*");
  if (index !== undefined) return { kind: "text", text: findElement(shell, name, index) };
  const special = findSpecial(shell, name);
  if (special !== undefined) return { kind: "text", text: special };
  const value = shell.variables.get(name);
  if (value !== undefined || shell.variables.find(name) !== undefined)
    return nameResult(shell, name, value);
  await askKernel(shell, name);
  return { kind: "text", text: findDynamicArray(shell, name)?.[0] ?? findDynamic(shell, name) };
}

/** A nameref may lead to an element: `declare -n r='a[1]'`. */
function nameResult(shell: Shell, name: string, value: string | undefined): Subject {
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(shell.variables.resolve(name));
  if (element === null) return { kind: "text", text: value };
  return { kind: "text", text: findElement(shell, element[1] ?? "", element[2] ?? "") };
}

function findElement(shell: Shell, name: string, index: string): string | undefined {
  const dynamic =
    shell.variables.find(name) === undefined ? findDynamicArray(shell, name) : undefined;
  if (dynamic === undefined) return readElement(shell, name, index);
  const array = new IndexedArray(dynamic.map((value, at) => [at, value] as const));
  return findIndexed(shell, array, index, name);
}

/** All elements of an array; a scalar is an array of one. */
export function findArray(shell: Shell, name: string, isStar: boolean): Subject {
  const value = shell.variables.find(name)?.value;
  if (value instanceof IndexedArray || value instanceof AssociativeArray) {
    return { kind: "list", values: value.values, keys: value.keys.map(String), isStar };
  }
  const scalar = value ?? findSpecial(shell, name);
  const values = scalar === undefined ? (findDynamicArray(shell, name) ?? []) : [scalar];
  return { kind: "list", values, keys: values.map((_, at) => String(at)), isStar };
}

/** `$?` and the like; undefined for a variable's name and for a position that is not set. */
function findSpecial(shell: Shell, name: string): string | undefined {
  if (/^\d+$/.test(name)) return name === "0" ? shell.name : shell.positional[Number(name) - 1];
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
      return shell.options.letters + shell.startLetters;
    default:
      return undefined;
  }
}
