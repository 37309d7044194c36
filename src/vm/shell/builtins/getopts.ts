import { assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";

/** `getopts optstring name [arg …]`: one option a call, its place in OPTIND and a place in the word. */
export async function getopts(shell: Shell, words: readonly string[]): Promise<number> {
  const [, letters, name, ...given] = words;
  if (letters === undefined || name === undefined) {
    await shell.write(2, "getopts: usage: getopts optstring name [arg ...]\n");
    return 2;
  }
  const values = given.length > 0 ? given : shell.positional;
  let index = Math.max(1, Number(shell.variables.get("OPTIND") ?? "1") || 1);
  if (index === 1 && shell.getoptsIndex !== 1) shell.getoptsOffset = 1;
  const word = values[index - 1];
  const isOption = word !== undefined && (shell.getoptsOffset > 1 || /^-./.test(word));
  if (!isOption || word === "--") {
    if (word === "--") index += 1;
    finish(shell, index, 1);
    assignScalar(shell, name, "?");
    shell.variables.unset("OPTARG");
    return 1;
  }
  const letter = word.charAt(shell.getoptsOffset);
  const isLastLetter = shell.getoptsOffset + 1 >= word.length;
  const known = letter === ":" ? -1 : letters.indexOf(letter, letters.startsWith(":") ? 1 : 0);
  if (known === -1) {
    finish(shell, isLastLetter ? index + 1 : index, isLastLetter ? 1 : shell.getoptsOffset + 1);
    return report(shell, { letters, name, letter, problem: "illegal option" });
  }
  if (letters.charAt(known + 1) !== ":") {
    finish(shell, isLastLetter ? index + 1 : index, isLastLetter ? 1 : shell.getoptsOffset + 1);
    assignScalar(shell, name, letter);
    shell.variables.unset("OPTARG");
    return 0;
  }
  const value = isLastLetter ? values[index] : word.slice(shell.getoptsOffset + 1);
  finish(shell, isLastLetter ? index + 2 : index + 1, 1);
  if (value === undefined) {
    finish(shell, index + 1, 1);
    return report(shell, { letters, name, letter, problem: "option requires an argument" });
  }
  assignScalar(shell, name, letter);
  assignScalar(shell, "OPTARG", value);
  return 0;
}

function finish(shell: Shell, index: number, offset: number): void {
  shell.getoptsOffset = offset;
  shell.getoptsIndex = index;
  assignScalar(shell, "OPTIND", String(index));
}

interface Problem {
  readonly letters: string;
  readonly name: string;
  readonly letter: string;
  readonly problem: "illegal option" | "option requires an argument";
}

async function report(shell: Shell, { letters, name, letter, problem }: Problem): Promise<number> {
  const isSilent = letters.startsWith(":");
  assignScalar(shell, name, isSilent && problem !== "illegal option" ? ":" : "?");
  if (isSilent) {
    assignScalar(shell, "OPTARG", letter);
    return 0;
  }
  shell.variables.unset("OPTARG");
  if (shell.variables.get("OPTERR") !== "0")
    await shell.write(2, `${shell.name}: ${problem} -- ${letter}\n`);
  return 0;
}
