import { setOptions, shoptNames } from "../state/options.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

export async function shopt(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "pqsuo", "shopt [-pqsu] [-o] [optname ...]");
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  const known: readonly string[] = on.has("o")
    ? setOptions.map((row) => row[1]).toSorted()
    : shoptNames;
  const unknown = operands.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    await shell.complain(
      `shopt: ${unknown}: invalid ${on.has("o") ? "option name" : "shell option name"}`,
    );
    return 1;
  }
  if (operands.length > 0 && (on.has("s") || on.has("u"))) {
    for (const name of operands) shell.options.set(name, on.has("s"));
    return 0;
  }
  const isWanted = (name: string): boolean =>
    !(on.has("s") || on.has("u")) || shell.options.has(name) === on.has("s");
  const names = (operands.length > 0 ? operands : known).filter(isWanted);
  const show = (name: string): string => {
    const isOn = shell.options.has(name);
    if (!on.has("p")) return `${name.padEnd(on.has("o") ? 15 : 20)}\t${isOn ? "on" : "off"}\n`;
    return on.has("o")
      ? `set ${isOn ? "-" : "+"}o ${name}\n`
      : `shopt -${isOn ? "s" : "u"} ${name}\n`;
  };
  if (!on.has("q")) await writeOutput(shell, "shopt", names.map(show).join(""));
  return operands.every((name) => shell.options.has(name)) ? 0 : 1;
}
