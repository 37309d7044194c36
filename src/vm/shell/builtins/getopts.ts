import { assignScalar } from "../state/assign.ts";
import type { Shell } from "../state/shell.ts";
import { isName } from "../state/variables.ts";
import { readFlags } from "./builtin.ts";

const usage = "getopts optstring name [arg ...]";

interface Call {
  readonly letters: string;
  readonly name: string;
  readonly values: readonly string[];
}

/** `getopts optstring name [arg …]`: one option a call, its place in OPTIND and a place in the word. */
export async function getopts(shell: Shell, words: readonly string[]): Promise<number> {
  const flags = await readFlags(shell, words, "", usage);
  if (flags === undefined) return 2;
  const [letters, name, ...given] = flags.operands;
  if (letters === undefined || name === undefined) {
    await shell.write(2, `getopts: usage: ${usage}\n`);
    return 2;
  }
  const call = { letters, name, values: given.length > 0 ? given : shell.positional };
  let index = Math.max(1, Number(shell.variables.get("OPTIND") ?? "1") || 1);
  if (shell.variables.get("OPTIND") !== String(shell.getoptsIndex)) shell.getoptsOffset = 1;
  if (index > call.values.length + 1) index = call.values.length + 1;
  const word = call.values[index - 1];
  const isOption = word !== undefined && (shell.getoptsOffset > 1 || /^-./.test(word));
  if (isOption && (word !== "--" || shell.getoptsOffset > 1)) return readOption(shell, call, index);
  finish(shell, word === "--" ? index + 1 : index, 1);
  shell.variables.unset("OPTARG");
  await giveName(shell, name, "?");
  return 1;
}

async function readOption(shell: Shell, call: Call, index: number): Promise<number> {
  const { letters, name, values } = call;
  const word = values[index - 1] ?? "";
  const letter = word.charAt(shell.getoptsOffset);
  const isLastLetter = shell.getoptsOffset + 1 >= word.length;
  const next = isLastLetter ? index + 1 : index;
  const offset = isLastLetter ? 1 : shell.getoptsOffset + 1;
  const known = letter === ":" ? -1 : letters.indexOf(letter, letters.startsWith(":") ? 1 : 0);
  if (known === -1) {
    finish(shell, next, offset);
    return report(shell, call, { letter, problem: "illegal option" });
  }
  if (letters.charAt(known + 1) !== ":") {
    finish(shell, next, offset);
    shell.variables.unset("OPTARG");
    return giveName(shell, name, letter);
  }
  const value = isLastLetter ? values[index] : word.slice(shell.getoptsOffset + 1);
  if (value === undefined) {
    finish(shell, index + 1, 1);
    return report(shell, call, { letter, problem: "option requires an argument" });
  }
  finish(shell, isLastLetter ? index + 2 : index + 1, 1);
  assignScalar(shell, "OPTARG", value);
  return giveName(shell, name, letter);
}

async function giveName(shell: Shell, name: string, value: string): Promise<number> {
  if (isName(name)) {
    assignScalar(shell, name, value);
    return 0;
  }
  await shell.complain(`getopts: \`${name}': not a valid identifier`);
  return 1;
}

function finish(shell: Shell, index: number, offset: number): void {
  shell.getoptsOffset = offset;
  shell.getoptsIndex = index;
  assignScalar(shell, "OPTIND", String(index));
}

interface Problem {
  readonly letter: string;
  readonly problem: "illegal option" | "option requires an argument";
}

async function report(
  shell: Shell,
  { letters, name }: Call,
  { letter, problem }: Problem,
): Promise<number> {
  const isSilent = letters.startsWith(":");
  if (isSilent) {
    assignScalar(shell, "OPTARG", letter);
    return giveName(shell, name, problem === "illegal option" ? "?" : ":");
  }
  shell.variables.unset("OPTARG");
  if (shell.variables.get("OPTERR") !== "0")
    await shell.write(2, `${shell.name}: ${problem} -- ${letter}\n`);
  return giveName(shell, name, "?");
}
