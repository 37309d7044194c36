import { setOptions, shoptNames } from "../state/options.ts";
import type { Shell } from "../state/shell.ts";
import { noticeOption } from "../state/watched-variables.ts";
import { type Flags, readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";

export async function shopt(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "pqsuo", "shopt [-pqsu] [-o] [optname ...]");
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  if (on.has("s") && on.has("u")) {
    await shell.complain("shopt: cannot set and unset shell options simultaneously");
    return 1;
  }
  const known: readonly string[] = on.has("o")
    ? setOptions.map((row) => row[1]).toSorted()
    : shoptNames;
  const isChanging = on.has("s") || on.has("u");
  if (operands.length === 0) {
    const names = known.filter((name) => !isChanging || shell.options.has(name) === on.has("s"));
    if (!on.has("q"))
      await writeOutput(shell, "shopt", names.map((name) => show(shell, flags, name)).join(""));
    return 0;
  }
  let status = 0;
  let text = "";
  for (const name of operands) {
    if (!known.includes(name)) {
      await shell.complain(
        `shopt: ${name}: invalid ${on.has("o") ? "option name" : "shell option name"}`,
      );
      status = on.has("o") && isChanging ? status : 1;
    } else if (isChanging) {
      shell.options.set(name, on.has("s"));
      noticeOption(shell, name);
    } else {
      if (!shell.options.has(name)) status = 1;
      if (!on.has("q")) text += show(shell, flags, name);
    }
  }
  await writeOutput(shell, "shopt", text);
  return status;
}

function show(shell: Shell, { on }: Flags, name: string): string {
  const isOn = shell.options.has(name);
  if (!on.has("p")) return `${name.padEnd(15)}\t${isOn ? "on" : "off"}\n`;
  return on.has("o")
    ? `set ${isOn ? "-" : "+"}o ${name}\n`
    : `shopt -${isOn ? "s" : "u"} ${name}\n`;
}
