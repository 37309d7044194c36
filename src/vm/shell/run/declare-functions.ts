/** `declare -f`, `export -f`, `readonly -f`: functions and their attributes. */
import type { Shell } from "../state/shell.ts";
import type { FunctionDefinition } from "../syntax/ast.ts";
import { parse } from "../syntax/parse.ts";
import { printFunction } from "../syntax/print-command.ts";

export interface FunctionWish {
  readonly command: string;
  /** The letters given with `-`. */
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
  readonly names: readonly string[];
}

export async function declareFunctions(shell: Shell, wish: FunctionWish): Promise<number> {
  const { command, on, names } = wish;
  if (names.length === 0) return listFunctions(shell, wish);
  const isSetting =
    command === "export" || command === "readonly" || /[rxt]/.test([...on].join(""));
  let status = 0;
  for (const name of names) {
    const definition = shell.functions.get(name);
    if (definition === undefined) {
      status = 1;
      if (command === "export" || command === "readonly")
        await shell.complain(`${command}: ${name}: not a function`);
    } else if (isSetting && !on.has("p")) {
      shell.functions.set(name, withAttributes(definition, wish));
    } else {
      await shell.write(
        1,
        on.has("F") ? place(shell, definition) : `${printFunction(definition)}\n`,
      );
    }
  }
  return status;
}

function withAttributes(definition: FunctionDefinition, wish: FunctionWish): FunctionDefinition {
  const { command, on, off } = wish;
  const isExported =
    command === "export"
      ? !on.has("n")
      : on.has("x") || (definition.isExported === true && !off.has("x"));
  const isReadonly = command === "readonly" || on.has("r") || definition.isReadonly === true;
  return { ...definition, isExported, isReadonly };
}

/** `declare -F name`; `extdebug` adds where it was defined. */
function place(shell: Shell, { name, line, file }: FunctionDefinition): string {
  return shell.options.has("extdebug") ? `${name} ${line} ${file ?? "main"}\n` : `${name}\n`;
}

async function listFunctions(shell: Shell, { command, on }: FunctionWish): Promise<number> {
  let text = "";
  for (const name of [...shell.functions.keys()].toSorted()) {
    const definition = shell.functions.get(name);
    if (definition === undefined) continue;
    if ((command === "export" || on.has("x")) && definition.isExported !== true) continue;
    if ((command === "readonly" || on.has("r")) && definition.isReadonly !== true) continue;
    const letters = `f${definition.isReadonly === true ? "r" : ""}${definition.isExported === true ? "x" : ""}`;
    const declared = `declare -${letters} ${name}\n`;
    if (on.has("F")) text += declared;
    else text += `${printFunction(definition)}\n${letters === "f" ? "" : declared}`;
  }
  await shell.write(1, text);
  return 0;
}

/** The environment's entries for functions that are handed on to commands. */
export function* exportedFunctions(shell: Shell): Iterable<readonly [string, string]> {
  for (const definition of shell.functions.values()) {
    if (definition.isExported !== true) continue;
    const text = printFunction(definition).slice(`${definition.name} () \n{ \n`.length);
    yield [`BASH_FUNC_${definition.name}%%`, `() { ${text.replace(/^ {4}/gm, " ")}`];
  }
}

/** Defines the functions that the environment hands on. */
export function importFunctions(shell: Shell, environment: ReadonlyMap<string, string>): void {
  for (const [key, value] of environment) {
    const name = /^BASH_FUNC_(.+)%%$/s.exec(key)?.[1];
    if (name === undefined || !value.startsWith("() {")) continue;
    const { statements, error } = parse(`${name} ${value}`);
    const command = statements[0]?.command;
    if (error !== undefined || statements.length !== 1 || command?.kind !== "function") continue;
    shell.functions.set(command.name, { ...command, isExported: true, file: "environment" });
  }
}
