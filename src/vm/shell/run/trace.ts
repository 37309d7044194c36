import { expandParts } from "../expansion/word.ts";
import type { Shell } from "../state/shell.ts";
import { readTemplate } from "../syntax/adapt.ts";

/** `set -x`: says the command on fd 2 behind PS4, whose first character is repeated by depth. */
export async function traceCommand(shell: Shell, text: string): Promise<void> {
  const prompt = shell.variables.get("PS4") ?? "+ ";
  shell.options.set("xtrace", false);
  try {
    const expanded = /[$`\\]/.test(prompt)
      ? await expandParts(shell, readTemplate(prompt))
      : prompt;
    const first = String.fromCodePoint(expanded.codePointAt(0) ?? 43);
    await shell.write(2, `${first.repeat(shell.subshellDepth)}${expanded}${text}\n`);
  } finally {
    shell.options.set("xtrace", true);
  }
}
