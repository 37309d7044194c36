/** `declare`, `typeset`, `local`, `export` and `readonly`: attributes, and assignments with them. */
import { requireReferenceName } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import {
  AssociativeArray,
  IndexedArray,
  isName,
  LOCAL_OPTIONS,
  splitElement,
  type Variable,
} from "../state/variables.ts";
import type { PreparedAssignment } from "./assignments.ts";
import { declareFunctions } from "./declare-functions.ts";
import { giveValue } from "./declare-value.ts";
import { nameOf, printVariables } from "./print-declarations.ts";

const names = ["declare", "typeset", "local", "export", "readonly"];

export function isDeclaration(name: string): boolean {
  return names.includes(name);
}

export type Item = string | PreparedAssignment;

/** A declaration command as given. */
export interface Wish {
  readonly command: string;
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
  readonly operands: readonly Item[];
}

/** A name with what is to be assigned to it, if anything. */
export interface Operand extends PreparedAssignment {
  readonly isBare: boolean;
  readonly shown: string;
}

/** Runs a declaration; the first item is the command's name. */
export async function declareVariables(shell: Shell, items: readonly Item[]): Promise<number> {
  const wish = readWish(items);
  const { command, on, off } = wish;
  if (command === "local" && !shell.isInFunction)
    throw new ShellError("local: can only be used in a function", "command");
  const bad = [...on, ...off].find((letter) => !letters[command]?.includes(letter));
  if (bad !== undefined) {
    await shell.complain(`${command}: ${on.has(bad) ? "-" : "+"}${bad}: invalid option`);
    await shell.write(2, `${command}: usage: ${usage[command] ?? ""}\n`);
    return 2;
  }
  if (command === "export" && on.has("n") && wish.operands.length === 0)
    return printVariables(shell, wish);
  if (on.has("f") || on.has("F"))
    return declareFunctions(shell, { ...wish, names: wish.operands.map(nameOf) });
  const isAsking =
    on.has("p") && (command === "declare" || command === "typeset" || command === "local");
  if (isAsking || wish.operands.length === 0) return printVariables(shell, wish);
  let status = 0;
  for (const operand of wish.operands) if (!(await declareOne(shell, wish, operand))) status = 1;
  return status;
}

const letters: Record<string, string> = {
  declare: "aAcfFgiIlnrtuxp",
  typeset: "aAcfFgiIlnrtuxp",
  local: "aAcfFgiIlnrtuxp",
  export: "aAfnp",
  readonly: "aAfnp",
};

const usage: Record<string, string> = {
  declare: "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
  typeset: "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
  local: "local [option] name[=value] ...",
  export: "export [-fn] [name[=value] ...] or export -p",
  readonly: "readonly [-aAf] [name[=value] ...] or readonly -p",
};

/** Whether the words of a declaration so far make its names associative arrays. */
export function makesKeyed(items: readonly Item[]): boolean {
  return items[0] !== "export" && readWish(items).on.has("A");
}

function readWish(items: readonly Item[]): Wish {
  const [command] = items;
  const on = new Set<string>();
  const off = new Set<string>();
  let at = 1;
  const takesPlus = command !== "export" && command !== "readonly";
  for (; at < items.length; at++) {
    const item = items[at];
    if (typeof item !== "string" || !/^[-+]./.test(item)) break;
    if (item.startsWith("+") && !takesPlus) break;
    if (item === "--") {
      at += 1;
      break;
    }
    for (const letter of item.slice(1)) (item.startsWith("-") ? on : off).add(letter);
  }
  return {
    command: typeof command === "string" ? command : "",
    on,
    off,
    operands: items.slice(at),
  };
}

async function declareOne(shell: Shell, wish: Wish, item: Item): Promise<boolean> {
  const operand = readOperand(item);
  const { name } = operand;
  if (name === "-" && wish.command === "local") {
    shell.variables.ensureLocal(LOCAL_OPTIONS).value = shell.options.saved();
    return true;
  }
  if (!isName(name)) {
    await shell.complain(`${wish.command}: \`${operand.shown}': not a valid identifier`);
    return false;
  }
  try {
    await declareName(shell, wish, operand);
    if (shell.notices.length > 0) await shell.sayNotices();
    return true;
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    const isOwn = wish.command !== "export" && !error.message.startsWith(`${wish.command}: `);
    const message = isOwn ? `${wish.command}: ${error.message}` : error.message;
    if (error.reach === "line" && !error.message.includes("readonly variable"))
      throw new ShellError(message, "line", error.status);
    await shell.complain(message);
    return false;
  } finally {
    shell.variables.changed();
  }
}

async function declareName(shell: Shell, wish: Wish, operand: Operand): Promise<void> {
  const { name } = operand;
  if (wish.on.has("n") && wish.command !== "export" && wish.command !== "readonly")
    requireTarget(shell, wish, operand);
  const variable = findTarget(shell, wish, name);
  if (variable.isReadonly && changesReadonly(wish, variable, operand))
    throw new ShellError(`${name}: readonly variable`, "command");
  setKind(shell, wish, variable, operand);
  setValueAttributes(wish, variable);
  await giveValue(shell, wish, variable, operand);
  setAttributes(wish, variable);
}

/** A readonly variable keeps its value and its attribute; other attributes may come and go. */
function changesReadonly(wish: Wish, variable: Variable, operand: Operand): boolean {
  if (wish.off.has("r")) return true;
  if (!operand.isBare) return true;
  const isArray = typeof variable.value === "object";
  return (wish.on.has("a") || wish.on.has("A")) && !isArray;
}

/** Fails where a nameref cannot lead to what it is given. */
function requireTarget(shell: Shell, wish: Wish, operand: Operand): void {
  const { name, value, isBare } = operand;
  const held = shell.variables.findUnresolved(name);
  if (typeof held?.value === "object" && isBare)
    throw new ShellError(`${name}: reference variable cannot be an array`, "command");
  const target = isBare ? held?.value : value;
  if (target === "" && !isBare) throw new ShellError("`': not a valid identifier", "command");
  if (typeof target !== "string" || target === "") return;
  if (target === name) {
    if (!shell.isInFunction || wish.on.has("g"))
      throw new ShellError(`${name}: nameref variable self references not allowed`, "command");
    shell.notices.push(`${wish.command}: warning: ${name}: circular name reference`);
  }
  const element = splitElement(target);
  const isValid = isName(target) || (element !== undefined && element.index !== "");
  if (!isValid)
    throw new ShellError(`\`${target}': invalid variable name for name reference`, "command");
  requireReferenceName(target);
}

/** `name`, `name=value` or `name+=value` out of an expanded word. */
function readOperand(item: Item): Operand {
  if (typeof item !== "string") return { ...item, isBare: false, shown: item.text ?? item.name };
  const match = /^([^=+[]*)(?:\[((?:[^\]]|\](?!\+?=))*)\])?(\+?)=(.*)$/s.exec(item);
  if (match === null) {
    const element = splitElement(item);
    const name = element?.name ?? item;
    return { name, index: undefined, isAppend: false, value: "", isBare: true, shown: item };
  }
  return {
    name: match[1] ?? "",
    index: match[2],
    isAppend: match[3] === "+",
    value: match[4] ?? "",
    isBare: false,
    shown: item,
  };
}

/** Inside a function `declare` is local; `-g` is not, and `export` and `readonly` take what is there. */
function findTarget(shell: Shell, wish: Wish, name: string): Variable {
  const { variables } = shell;
  const isReferring = wish.on.has("n") || wish.off.has("n");
  const isMaking = wish.command !== "export" && wish.command !== "readonly";
  if (isMaking && wish.on.has("g")) return variables.ensureGlobal(name);
  if (!isMaking || !shell.isInFunction) {
    return (isReferring ? variables.findUnresolved(name) : undefined) ?? variables.ensure(name);
  }
  const found = variables.findLocal(name);
  if (found !== undefined) {
    if (!found.isReference || isReferring) return found;
    return variables.ensure(name);
  }
  return makeLocal(shell, wish, name);
}

function makeLocal(shell: Shell, wish: Wish, name: string): Variable {
  const { variables } = shell;
  const outer = variables.findUnresolved(name);
  if (outer?.isReadonly === true) throw new ShellError(`${name}: readonly variable`, "command");
  const temporary = variables.findTemporary(name);
  const made = variables.ensureLocal(name);
  const inherited =
    temporary ?? (wish.on.has("I") || shell.options.has("localvar_inherit") ? outer : undefined);
  if (inherited === undefined) {
    made.isExported = outer?.isExported === true;
    return made;
  }
  const { value } = inherited;
  Object.assign(made, inherited, {
    value: typeof value === "object" ? value.copy() : value,
    isReference: false,
  });
  return made;
}

function setKind(shell: Shell, wish: Wish, variable: Variable, { name }: Operand): void {
  if (wish.command === "export") return;
  const { on, off } = wish;
  const isArray = typeof variable.value === "object";
  if (isArray && (off.has("a") || off.has("A")))
    throw new ShellError(`${name}: cannot destroy array variables in this way`, "command");
  if (on.has("A") && !(variable.value instanceof AssociativeArray)) {
    if (variable.value instanceof IndexedArray)
      throw new ShellError(`${name}: cannot convert indexed to associative array`, "command");
    const before = variable.value;
    variable.value = new AssociativeArray(typeof before === "string" ? [["0", before]] : []);
    variable.value.isAssigned = typeof before === "string";
    variable.dynamic = undefined;
  } else if (on.has("a") && variable.value instanceof AssociativeArray) {
    throw new ShellError(`${name}: cannot convert associative to indexed array`, "command");
  } else if (on.has("a") && !isArray && variable.dynamic === undefined && !on.has("n")) {
    const before = variable.value;
    variable.value = new IndexedArray(typeof before === "string" ? [[0, before]] : []);
    variable.value.isAssigned = typeof before === "string";
  }
  shell.variables.changed();
}

/** Two of these together are none. */
const folds = [
  ["c", "capital"],
  ["l", "lower"],
  ["u", "upper"],
] as const;

/** Attributes that change what is assigned next. */
function setValueAttributes({ on, off, command }: Wish, variable: Variable): void {
  if (command === "export" || command === "readonly") return;
  if (on.has("i")) variable.isInteger = true;
  if (off.has("i")) variable.isInteger = false;
  const wanted = folds.filter(([letter]) => on.has(letter));
  const [first] = wanted;
  if (first !== undefined) variable.fold = wanted.length > 1 ? "none" : first[1];
  if (folds.some(([letter, fold]) => off.has(letter) && variable.fold === fold))
    variable.fold = "none";
}

function setAttributes(wish: Wish, variable: Variable): void {
  const { on, off } = wish;
  const isExport = wish.command === "export";
  if (isExport) variable.isExported = !on.has("n");
  if (on.has("x")) variable.isExported = true;
  if (off.has("x")) variable.isExported = false;
  if (on.has("t")) variable.isTraced = true;
  if (off.has("t")) variable.isTraced = false;
  if (wish.command === "readonly" || on.has("r")) variable.isReadonly = true;
  if (isExport || wish.command === "readonly") return;
  if (on.has("n") && typeof variable.value !== "object") variable.isReference = true;
  if (off.has("n")) variable.isReference = false;
}
