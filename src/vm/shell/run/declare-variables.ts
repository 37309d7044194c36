/** `declare`, `typeset`, `local`, `export` and `readonly`: attributes, and assignments with them. */
import { attributes, declaration } from "../expansion/transform.ts";
import { toIndexed } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { AssociativeArray, IndexedArray, isName, type Variable } from "../state/variables.ts";
import { applyAssignment, type PreparedAssignment } from "./assignments.ts";

const names = ["declare", "typeset", "local", "export", "readonly"];

export function isDeclaration(name: string): boolean {
  return names.includes(name);
}

type Item = string | PreparedAssignment;

interface Wish {
  readonly command: string;
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
  readonly operands: readonly Item[];
}

/** Runs a declaration; the first item is the command's name. */
export async function declareVariables(shell: Shell, items: readonly Item[]): Promise<number> {
  const wish = readWish(items);
  if (wish.command === "local" && !shell.isInFunction) {
    throw new ShellError("local: can only be used in a function", "command");
  }
  const bad = [...wish.on, ...wish.off].find((letter) => !letters[wish.command]?.includes(letter));
  if (bad !== undefined) {
    await shell.complain(`${wish.command}: -${bad}: invalid option`);
    await shell.write(2, `${wish.command}: usage: ${usage[wish.command] ?? ""}\n`);
    return 2;
  }
  if (wish.on.has("f") || wish.on.has("F")) return declareFunctions(shell, wish);
  if (wish.on.has("p") || wish.operands.length === 0) return printVariables(shell, wish);
  let status = 0;
  for (const operand of wish.operands) if (!(await declareOne(shell, wish, operand))) status = 1;
  return status;
}

const letters: Record<string, string> = {
  declare: "aAfFgiIlnrtuxp",
  typeset: "aAfFgiIlnrtuxp",
  local: "aAfFgiIlnrtuxp",
  export: "fnp",
  readonly: "aAfp",
};

const usage: Record<string, string> = {
  declare: "declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
  typeset: "typeset [-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
  local: "local [option] name[=value] ...",
  export: "export [-fn] [name[=value] ...] or export -p",
  readonly: "readonly [-aAf] [name[=value] ...] or readonly -p",
};

function readWish(items: readonly Item[]): Wish {
  const [command] = items;
  const on = new Set<string>();
  const off = new Set<string>();
  let at = 1;
  for (; at < items.length; at++) {
    const item = items[at];
    if (typeof item !== "string" || !/^[-+]./.test(item)) break;
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

async function declareOne(shell: Shell, wish: Wish, operand: Item): Promise<boolean> {
  const assignment = typeof operand === "string" ? readOperand(operand) : operand;
  const name = assignment.name;
  if (!isName(name)) {
    await shell.complain(
      `${wish.command}: \`${typeof operand === "string" ? operand : name}': not a valid identifier`,
    );
    return false;
  }
  const variable = findTarget(shell, wish, name);
  try {
    setKind(shell, wish, variable, name);
    applyValue(shell, wish, variable, assignment);
    setAttributes(wish, variable);
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach === "shell") throw error;
    await shell.complain(
      wish.command === "local" || wish.command === "declare"
        ? `${wish.command}: ${error.message}`
        : error.message,
    );
    return false;
  } finally {
    shell.variables.changed();
  }
  return true;
}

/** `name`, `name=value` or `name+=value` out of an expanded word. */
function readOperand(text: string): PreparedAssignment & { readonly isBare?: boolean } {
  const match = /^([^=+[]*)(?:\[([^\]]*)\])?(\+?)=(.*)$/s.exec(text);
  if (match === null)
    return {
      name: text.replace(/\[.*\]$/s, ""),
      index: undefined,
      isAppend: false,
      value: "",
      isBare: true,
    };
  return {
    name: match[1] ?? "",
    index: match[2],
    isAppend: match[3] === "+",
    value: match[4] ?? "",
  };
}

/** Inside a function `declare` is local; `-g` is not, and `export` and `readonly` take what is there. */
function findTarget(shell: Shell, wish: Wish, name: string): Variable {
  const { variables } = shell;
  const isLocal =
    wish.command !== "export" &&
    wish.command !== "readonly" &&
    !wish.on.has("g") &&
    shell.isInFunction;
  if (!isLocal) {
    const isReferring = wish.on.has("n") || wish.off.has("n");
    return (isReferring ? variables.findUnresolved(name) : undefined) ?? variables.ensure(name);
  }
  const found = variables.findLocal(name);
  if (found !== undefined) return found;
  const outer = variables.find(name);
  if (outer?.isReadonly === true)
    throw new ShellError(`local: ${name}: readonly variable`, "command");
  const made = variables.ensureLocal(name);
  if (outer?.isExported === true) made.isExported = true;
  if (wish.on.has("I") && outer !== undefined) made.value = outer.value;
  return made;
}

function setKind(shell: Shell, wish: Wish, variable: Variable, name: string): void {
  if (wish.command === "export") return;
  if (wish.on.has("A") && !(variable.value instanceof AssociativeArray)) {
    if (variable.value instanceof IndexedArray && variable.value.elements.size > 0) {
      throw new ShellError(`${name}: cannot convert indexed to associative array`, "command");
    }
    variable.value = new AssociativeArray();
  }
  if (wish.on.has("a") && variable.value instanceof AssociativeArray) {
    throw new ShellError(`${name}: cannot convert associative to indexed array`, "command");
  }
  if (wish.on.has("a")) toIndexed(variable);
  if (wish.on.has("i")) variable.isInteger = true;
  if (wish.off.has("i")) variable.isInteger = false;
  if (wish.on.has("l")) variable.fold = "lower";
  if (wish.on.has("u")) variable.fold = "upper";
  if (wish.off.has("l") || wish.off.has("u")) variable.fold = "none";
  shell.variables.changed();
}

function applyValue(
  shell: Shell,
  wish: Wish,
  variable: Variable,
  assignment: PreparedAssignment & { readonly isBare?: boolean },
): void {
  if (assignment.isBare === true) return;
  if (wish.on.has("n") && wish.command !== "export" && typeof assignment.value === "string") {
    variable.value = assignment.value;
    return;
  }
  if (
    wish.on.has("g") &&
    shell.variables.find(assignment.name) !== variable &&
    typeof assignment.value === "string"
  ) {
    variable.value = assignment.value;
    return;
  }
  const isWhole = typeof assignment.value === "string" && assignment.index === undefined;
  const isArray =
    variable.value instanceof IndexedArray || variable.value instanceof AssociativeArray;
  const parsed =
    isWhole && isArray && wish.on.has("a") ? { ...assignment, index: "0" } : assignment;
  applyAssignment(shell, parsed);
}

function setAttributes(wish: Wish, variable: Variable): void {
  const isExport = wish.command === "export";
  if (isExport) variable.isExported = !wish.on.has("n");
  if (wish.on.has("x")) variable.isExported = true;
  if (wish.off.has("x")) variable.isExported = false;
  if (wish.command === "readonly" || wish.on.has("r")) variable.isReadonly = true;
  if (!isExport && wish.on.has("n")) variable.isReference = true;
  if (wish.off.has("n")) variable.isReference = false;
}

async function declareFunctions(shell: Shell, wish: Wish): Promise<number> {
  const wanted = wish.operands.map((operand) =>
    typeof operand === "string" ? operand : operand.name,
  );
  if (wish.command === "export" || wish.command === "readonly") return 0;
  const all = wanted.length === 0 ? [...shell.functions.keys()].toSorted() : wanted;
  let status = 0;
  for (const name of all) {
    const definition = shell.functions.get(name);
    if (definition === undefined) status = 1;
    else if (!wish.on.has("F")) await shell.write(1, `${definition.text}\n`);
    else await shell.write(1, wanted.length === 0 ? `declare -f ${name}\n` : `${name}\n`);
  }
  return status;
}

async function printVariables(shell: Shell, wish: Wish): Promise<number> {
  const { variables } = shell;
  let status = 0;
  let text = "";
  const wanted = wish.operands.map((operand) =>
    typeof operand === "string" ? operand : operand.name,
  );
  const shown =
    wanted.length > 0
      ? wanted
      : wish.command === "local"
        ? variables.localNames()
        : variables.names();
  for (const name of shown) {
    const variable = variables.findUnresolved(name);
    if (variable === undefined) {
      await shell.complain(`${wish.command}: ${name}: not found`);
      status = 1;
    } else if (wanted.length > 0 || isShown(wish, variable)) {
      text += `${declaration(name, variable)}\n`;
    }
  }
  await shell.write(1, text);
  return status;
}

function isShown(wish: Wish, variable: Variable): boolean {
  if (wish.command === "export") return variable.isExported;
  if (wish.command === "readonly") return variable.isReadonly;
  const flags = attributes(variable);
  return [...wish.on].every((letter) => letter === "p" || letter === "g" || flags.includes(letter));
}
