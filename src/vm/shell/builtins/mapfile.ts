import { decodeText, isKernelError } from "../../../kernel/index.ts";
import { quoteText } from "../expansion/quote-text.ts";
import { toIndexed } from "../state/assign.ts";
import { delimiterOf, LineReader, type ReadBytes } from "../state/read-line.ts";
import type { Shell } from "../state/shell.ts";
import { AssociativeArray, IndexedArray, isName, type Variable } from "../state/variables.ts";
import { type Flags, readFlags } from "./builtin.ts";
import { checkFd } from "./read-options.ts";

const usage = (name: string): string =>
  `${name} [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]`;

interface Wish {
  readonly fd: number;
  readonly delimiter: number;
  readonly origin: number;
  readonly skipped: number;
  readonly most: number;
  readonly quantum: number;
  readonly callback: string | undefined;
  readonly isTrimmed: boolean;
}

/** `mapfile` and `readarray`: lines into an array. */
export async function mapfile(shell: Shell, words: readonly string[]): Promise<number> {
  const [command = "mapfile"] = words;
  const flags = await readFlags(shell, words, "d:n:O:s:tu:C:c:", usage(command));
  if (flags === undefined) return 2;
  const problem = findProblem(flags);
  if (problem !== undefined) {
    await shell.complain(`${command}: ${problem}`);
    return 1;
  }
  const wish = readWish(flags);
  const fdProblem = await checkFd(shell, flags.values.get("u"));
  if (fdProblem !== undefined) {
    await shell.complain(`${command}: ${fdProblem}`);
    return 1;
  }
  const name = flags.operands[0] ?? "MAPFILE";
  if (name === "") {
    await shell.complain(`${command}: empty array variable name`);
    return 2;
  }
  if (!isName(name)) {
    await shell.complain(`${command}: \`${name}': not a valid identifier`);
    return 1;
  }
  const variable = shell.variables.ensure(name);
  if (variable.isReadonly) {
    await shell.complain(`${name}: readonly variable`);
    return 1;
  }
  if (variable.value instanceof AssociativeArray) {
    await shell.complain(`${command}: ${name}: not an indexed array`);
    return 1;
  }
  if (!flags.values.has("O")) variable.value = new IndexedArray();
  await readLines(shell, wish, variable);
  return 0;
}

function readWish({ values, on }: Flags): Wish {
  const number = (letter: string, otherwise: number): number =>
    Number(values.get(letter) ?? otherwise);
  const delimiter = values.get("d");
  return {
    fd: number("u", 0),
    delimiter: delimiter === undefined ? 10 : delimiterOf(delimiter),
    origin: number("O", 0),
    skipped: number("s", 0),
    most: number("n", 0),
    quantum: number("c", 5000),
    callback: values.get("C"),
    isTrimmed: on.has("t"),
  };
}

async function readLines(shell: Shell, wish: Wish, variable: Variable): Promise<void> {
  const array = toIndexed(variable);
  array.isAssigned = true;
  const reader = new LineReader(shell, wish.fd, wish.most !== 0);
  for (let at = 0; wish.most === 0 || at < wish.most + wish.skipped; at++) {
    const line = await nextLine(reader, wish.delimiter);
    if (line === undefined) return;
    if (at < wish.skipped) continue;
    const count = at - wish.skipped;
    const index = wish.origin + count;
    // A value ends at a NUL.
    const nul = line.bytes.indexOf(0);
    const end = line.isWhole && !wish.isTrimmed && wish.delimiter !== 0 && nul === -1;
    const bytes = nul === -1 ? line.bytes : line.bytes.subarray(0, nul);
    const text = decodeText(bytes) + (end ? String.fromCodePoint(wish.delimiter) : "");
    if (wish.callback !== undefined && (count + 1) % wish.quantum === 0) {
      const source = `${wish.callback} ${index} ${quoteText(text)}`;
      await shell.interpreter.runSource(shell, source, shell.line);
    }
    shell.variables.charge(text.length);
    array.set(index, text);
  }
}

/** A fd that cannot be read has no lines, which is no failure. */
async function nextLine(reader: LineReader, delimiter: number): Promise<ReadBytes | undefined> {
  try {
    return await reader.next(delimiter);
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

const checks = [
  ["n", 0, "invalid line count"],
  ["s", 0, "invalid line count"],
  ["O", 0, "invalid array origin"],
  ["c", 1, "invalid callback quantum"],
] as const;

/** The first option whose value is no number in its range. */
function findProblem({ values }: Flags): string | undefined {
  for (const [letter, least, words] of checks) {
    const value = values.get(letter);
    if (value === undefined) continue;
    if (!/^\s*[-+]?\d+\s*$/.test(value) || Number(value) < least) return `${value}: ${words}`;
  }
  return undefined;
}
