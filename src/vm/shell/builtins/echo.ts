import { isKernelError } from "../../../kernel/index.ts";
import { decodeEscapes } from "../../programs/escapes.ts";
import { errorWords } from "../../programs/program.ts";
import { isByteLocale } from "../expansion/characters.ts";
import type { Shell } from "../state/shell.ts";

export async function echo(shell: Shell, words: readonly string[]): Promise<number> {
  let isNewline = true;
  let isEscaped = shell.options.has("xpg_echo");
  let at = 1;
  for (; /^-[neE]+$/.test(words[at] ?? ""); at++) {
    for (const letter of words[at]?.slice(1) ?? "") {
      if (letter === "n") isNewline = false;
      else isEscaped = letter === "e";
    }
  }
  const joined = words.slice(at).join(" ");
  const { text, isCut } = isEscaped
    ? decodeEscapes(joined, "echo", isByteLocale(shell))
    : { text: joined, isCut: false };
  return writeOutput(shell, "echo", isNewline && !isCut ? `${text}\n` : text);
}

/** Writes a builtin's output; a failure is said as `name: write error: words` and is status 1. */
export async function writeOutput(shell: Shell, name: string, text: string): Promise<number> {
  if (text === "") return 0;
  try {
    await shell.write(1, text);
    return 0;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.complain(`${name}: write error: ${errorWords(error)}`);
    return 1;
  }
}
