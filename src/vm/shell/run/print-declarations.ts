/** What `declare -p`, `declare -f`, `export -p` and their kin print. */

import { quoteIfNeeded } from "../expansion/quote-text.ts";
import { attributes, declaration, valueText } from "../expansion/transform.ts";
import { askKernel, dynamicKind } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import {
  AssociativeArray,
  IndexedArray,
  type Variable,
  type VariableValue,
} from "../state/variables.ts";
import { printFunction } from "../syntax/print-command.ts";
import type { Item, Wish } from "./declare-variables.ts";

export function nameOf(item: Item): string {
  return typeof item === "string" ? item : item.name;
}

/** A word of a declaration as one text, an array's elements left out. */
export function itemText(item: Item): string {
  if (typeof item === "string") return item;
  const { name, index, isAppend, value } = item;
  if (typeof value !== "string") return name;
  return `${name}${index === undefined ? "" : `[${index}]`}${isAppend ? "+" : ""}=${value}`;
}

export async function printVariables(shell: Shell, wish: Wish): Promise<number> {
  const { variables } = shell;
  const wanted = wish.operands.map(itemText);
  if (wanted.length === 0) {
    const names = wish.command === "local" ? variables.localNames() : variables.names();
    const isAll = isPlainList(wish) && !shell.options.has("posix");
    const functions = isAll ? listFunctions(shell) : "";
    await shell.write(1, names.map((name) => listed(shell, wish, name)).join("") + functions);
    return 0;
  }
  let status = 0;
  for (const name of wanted) {
    const variable =
      wish.command === "local" ? variables.findLocal(name) : variables.findUnresolved(name);
    if (variable === undefined) {
      await shell.complain(`${wish.command}: ${name}: not found`);
      status = 1;
      continue;
    }
    await askKernel(shell, name);
    await shell.write(1, `${declaration(name, variable, variables.valueOf(variable))}\n`);
  }
  return status;
}

/** A variable's line in a list of all; empty where it is not asked for. */
function listed(shell: Shell, wish: Wish, name: string): string {
  const variable = shell.variables.findUnresolved(name);
  if (variable === undefined || !isShown(wish, variable)) return "";
  const value = listedValue(shell, variable);
  if (isPlainList(wish)) {
    if (value === undefined || variable.dynamic !== undefined) return "";
    return `${name}=${typeof value === "string" ? shownText(value) : valueText(value)}\n`;
  }
  if (wish.command === "export" && shell.options.has("posix"))
    return `${declaration(name, variable, value).replace(/^declare -\w+/, "export")}\n`;
  return `${declaration(name, variable, value)}\n`;
}

/** In a list a dynamic value is not made; an array is empty. */
function listedValue(shell: Shell, variable: Variable): VariableValue {
  const isMade = variable.isReadonly || variable.dynamic === "BASH_ARGC";
  if (variable.dynamic === undefined || isMade) return shell.variables.valueOf(variable);
  const kind = dynamicKind(variable);
  if (kind === "" || variable.dynamic === "FUNCNAME") return undefined;
  return kind === "a" ? new IndexedArray() : new AssociativeArray();
}

/** `declare` alone: names and values, not declarations. */
function isPlainList(wish: Wish): boolean {
  const isDeclare = wish.command === "declare" || wish.command === "typeset";
  return isDeclare && !wish.on.has("p") && !hasFlags(wish);
}

/** All functions, as `set` and `declare` show them behind the variables. */
export function listFunctions(shell: Shell): string {
  return [...shell.functions.keys()]
    .toSorted()
    .map((name) => shell.functions.get(name))
    .map((definition) => (definition === undefined ? "" : `${printFunction(definition)}\n`))
    .join("");
}

function hasFlags(wish: Wish): boolean {
  return [...wish.on, ...wish.off].some((letter) => !"gIp".includes(letter));
}

function isShown(wish: Wish, variable: Variable): boolean {
  const flags = attributes(variable);
  if (wish.command === "export")
    return (
      variable.isExported &&
      [...wish.on].every((letter) => "np".includes(letter) || flags.includes(letter))
    );
  if (wish.command === "readonly")
    return (
      variable.isReadonly &&
      [...wish.on].every((letter) => letter === "p" || flags.includes(letter))
    );
  const wanted = [...wish.on].filter((letter) => !"pgI".includes(letter));
  return wanted.length === 0 || wanted.some((letter) => flags.includes(letter));
}

function shownText(value: string): string {
  return value === "" ? "" : quoteIfNeeded(value);
}
