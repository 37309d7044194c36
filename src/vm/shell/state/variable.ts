/** One variable: its value and its attributes. */
import type { AssociativeArray, IndexedArray } from "./arrays.ts";
import { ShellError } from "./shell-error.ts";

/** What a variable holds; undefined is declared but unset. */
export type VariableValue = string | IndexedArray | AssociativeArray | undefined;

/** A name's value and its attributes. Objects are shared between nobody: a subshell copies them. */
export interface Variable {
  value: VariableValue;
  isExported: boolean;
  isReadonly: boolean;
  isInteger: boolean;
  isReference: boolean;
  isTraced: boolean;
  fold: "none" | "lower" | "upper" | "capital";
  /** The value is made when it is read, under this name; see `dynamic-variables.ts`. */
  dynamic: string | undefined;
}

export function isName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** `name[index]` in its parts; undefined where the text is none. */
export function splitElement(text: string): { name: string; index: string } | undefined {
  if (!text.endsWith("]")) return undefined;
  const match = /^([A-Za-z_][A-Za-z0-9_]*)\[(.*)\]$/s.exec(text);
  return match === null ? undefined : { name: match[1] ?? "", index: match[2] ?? "" };
}

export function requireWritable(name: string, variable: Variable): void {
  if (variable.isReadonly) throw new ShellError(`${name}: readonly variable`);
}

export function foldCase(variable: Variable, value: string): string {
  if (variable.fold === "none") return value;
  if (variable.fold === "upper") return value.toUpperCase();
  const small = value.toLowerCase();
  if (variable.fold === "lower") return small;
  const [first = ""] = small;
  return first.toUpperCase() + small.slice(first.length);
}

export function newVariable(value: VariableValue): Variable {
  return {
    value,
    isExported: false,
    isReadonly: false,
    isInteger: false,
    isReference: false,
    isTraced: false,
    fold: "none",
    dynamic: undefined,
  };
}

export function copyValue(value: VariableValue): VariableValue {
  return value === undefined || typeof value === "string" ? value : value.copy();
}

/** Characters of a value, with a cost for each element. */
export function sizeOf(value: VariableValue, elementCost: number): number {
  if (value === undefined) return 0;
  if (typeof value === "string") return value.length;
  let size = value.size * elementCost;
  for (const element of value.values) size += element.length;
  return size;
}
