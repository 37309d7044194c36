import { compilePattern } from "../expansion/pattern.ts";
import type { Shell } from "../state/shell.ts";
import { readFlags } from "./builtin.ts";
import { writeOutput } from "./echo.ts";
import { helpTexts } from "./help-texts.ts";

// Deviation: help describes builtins and keywords in one sentence each, in words of its own.
export async function help(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "dms", "help [-dms] [pattern ...]");
  if (flags === undefined) return 2;
  const { on, operands } = flags;
  if (operands.length === 0) return listAll(shell);
  const names = operands.flatMap((operand) => findTopics(operand));
  if (names.length === 0) {
    const last = operands.at(-1) ?? "";
    await shell.complain(
      `help: no help topics match \`${last}'.  Try \`help help' or \`man -k ${last}' or \`info ${last}'.`,
    );
    return 1;
  }
  const [manner] = ["d", "s", "m"].filter((letter) => on.has(letter));
  return writeOutput(shell, "help", names.map((name) => show(name, manner)).join(""));
}

/** The topic of that name, or all that a pattern or a beginning matches. */
function findTopics(operand: string): string[] {
  if (helpTexts.has(operand)) return [operand];
  const names = [...helpTexts.keys()];
  const matcher = /[*?[]/.test(operand) ? compilePattern(operand, {}) : undefined;
  return names.filter((name) => matcher?.test(name) ?? name.startsWith(operand));
}

function show(name: string, manner: string | undefined): string {
  const [synopsis = "", summary = ""] = helpTexts.get(name) ?? [];
  if (manner === "d") return `${name} - ${summary}\n`;
  if (manner === "s") return `${name}: ${synopsis}\n`;
  if (manner === "m")
    return `NAME\n    ${name} - ${summary}\n\nSYNOPSIS\n    ${synopsis}\n\nDESCRIPTION\n    ${summary}\n`;
  return `${name}: ${synopsis}\n    ${summary}\n`;
}

async function listAll(shell: Shell): Promise<number> {
  const lines = [...helpTexts.values()].map(([synopsis]) => ` ${synopsis}\n`);
  const head =
    "These commands are the shell's own. Type `help name' to find out more about one.\n\n";
  return writeOutput(shell, "help", head + lines.join(""));
}
