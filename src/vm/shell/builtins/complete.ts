/** `complete`, `compgen` and `compopt`. */
import {
  actionLetters,
  type CompletionSpec,
  completionOptions,
  namedActions,
  specialNames,
} from "../completion/completion-spec.ts";
import { type CompletionLine, generateCompletions } from "../completion/generate.ts";
import { listPaths } from "../completion/list-paths.ts";
import { readSpec, type SpecWords } from "../completion/read-spec.ts";
import { quoteIfNeeded, quoteText } from "../expansion/quote-text.ts";
import type { Shell } from "../state/shell.ts";

const specUsage =
  "[-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] [-S suffix]";
const completeUsage = `complete [-abcdefgjksuv] [-pr] [-DEI] ${specUsage} [name ...]`;
const compgenUsage = `compgen [-abcdefgjksuv] ${specUsage} [word]`;
const compoptUsage = "compopt [-o|+o option] [-DEI] [name ...]";

export async function complete(shell: Shell, words: readonly string[]): Promise<number> {
  const given = await readSpec(shell, words, { extra: "prDEI", usage: completeUsage });
  if (given === undefined) return 2;
  const { letters, spec, isGiven } = given;
  const names = targetNames(letters, given.operands);
  if (letters.has("r")) return remove(shell, names);
  const isAsking = letters.has("p") || (names.length === 0 && !isGiven);
  if (isAsking) return show(shell, names);
  if (names.length === 0) {
    await shell.write(2, `complete: usage: ${completeUsage}\n`);
    return 2;
  }
  for (const name of names) {
    if (shell.completions.set(name, spec)) continue;
    await shell.complain(`complete: ${name}: too many completion specifications`);
    return 1;
  }
  return 0;
}

/** `-D`, `-E` and `-I` stand for names; only the first of them counts. */
function targetNames(letters: ReadonlySet<string>, operands: readonly string[]): readonly string[] {
  const special = ["E", "D", "I"].find((letter) => letters.has(letter));
  return special === undefined ? operands : [specialNames.get(special) ?? ""];
}

async function remove(shell: Shell, names: readonly string[]): Promise<number> {
  if (names.length === 0 || !shell.completions.isUsed) {
    shell.completions.clear();
    return 0;
  }
  let status = 0;
  for (const name of names) {
    if (shell.completions.remove(name)) continue;
    await complainMissing(shell, "complete", name);
    status = 1;
  }
  return status;
}

async function show(shell: Shell, names: readonly string[]): Promise<number> {
  if (names.length === 0) {
    const lines = shell.completions.list().map(([name, spec]) => describe(name, spec));
    await shell.write(1, lines.join(""));
    return 0;
  }
  let status = 0;
  for (const name of names) {
    const spec = shell.completions.get(name);
    if (spec !== undefined) {
      await shell.write(1, describe(name, spec));
      continue;
    }
    await complainMissing(shell, "complete", name);
    status = 1;
  }
  return status;
}

async function complainMissing(shell: Shell, builtin: string, name: string): Promise<void> {
  await shell.complain(`${builtin}: ${name}: no completion specification`);
}

/** A spec as the command that makes it. */
function describe(name: string, spec: CompletionSpec): string {
  const parts = ["complete"];
  for (const option of completionOptions) if (spec.options.has(option)) parts.push(`-o ${option}`);
  for (const [letter, action] of actionLetters)
    if (spec.actions.has(action)) parts.push(`-${letter}`);
  for (const action of namedActions) if (spec.actions.has(action)) parts.push(`-A ${action}`);
  const quoted: readonly (readonly [string, string | undefined])[] = [
    ["G", spec.globPattern],
    ["W", spec.words],
    ["P", spec.prefix],
    ["S", spec.suffix],
    ["X", spec.filter],
    ["C", spec.command],
  ];
  for (const [letter, value] of quoted)
    if (value !== undefined) parts.push(`-${letter} ${quoteText(value)}`);
  if (spec.functionName !== undefined) parts.push(`-F ${spec.functionName}`);
  return `${parts.join(" ")} ${describeName(name)}\n`;
}

function describeName(name: string): string {
  for (const [letter, special] of specialNames) if (special === name) return `-${letter}`;
  return quoteIfNeeded(name);
}

export async function compgen(shell: Shell, words: readonly string[]): Promise<number> {
  const given = await readSpec(shell, words, { extra: "", usage: compgenUsage });
  if (given === undefined) return 2;
  const { spec, isGiven, operands } = given;
  if (!isGiven) return 0;
  const [word = ""] = operands;
  for (const [letter, value] of [
    ["F", spec.functionName],
    ["C", spec.command],
  ])
    if (value !== undefined)
      await shell.complain(`compgen: warning: -${letter} option may not work as you expect`);
  const { matches } = await generateCompletions(shell, spec, outsideLine(word));
  const shown = matches.length > 0 ? matches : await listDefault(shell, given, word);
  await shell.write(1, shown.map((match) => `${match}\n`).join(""));
  return shown.length > 0 ? 0 : 1;
}

async function listDefault(shell: Shell, { spec }: SpecWords, word: string): Promise<string[]> {
  return spec.options.has("default") ? listPaths(shell, word, "all") : [];
}

function outsideLine(word: string): CompletionLine {
  return {
    command: "compgen",
    word,
    previous: "",
    line: "",
    point: 0,
    type: 9,
    key: 9,
    words: [],
    index: -1,
  };
}

export async function compopt(shell: Shell, words: readonly string[]): Promise<number> {
  const on = new Set<string>();
  const off = new Set<string>();
  const letters = new Set<string>();
  let at = 1;
  for (; at < words.length && /^[-+]./.test(words[at] ?? ""); at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (/^-[DEI]$/.test(word)) {
      letters.add(word.slice(1));
      continue;
    }
    const problem = readOption(word, words[at + 1], word.startsWith("-") ? on : off);
    if (problem !== undefined) return refuse(shell, problem);
    if (/^[-+]o$/.test(word)) at += 1;
  }
  const names = targetNames(letters, words.slice(at));
  return names.length === 0
    ? changeCurrent(shell, on, off)
    : changeNamed(shell, names, { on, off });
}

interface Change {
  readonly on: ReadonlySet<string>;
  readonly off: ReadonlySet<string>;
}

/** Takes `-o name` in; a problem is what is wrong with it. */
function readOption(word: string, next: string | undefined, into: Set<string>): string | undefined {
  if (!/^[-+]o/.test(word)) return `${word}: invalid option`;
  const name = word.length > 2 ? word.slice(2) : next;
  if (name === undefined) return `${word}: option requires an argument`;
  if (!completionOptions.includes(name)) return `${name}: invalid option name`;
  into.add(name);
  return undefined;
}

async function refuse(shell: Shell, problem: string): Promise<number> {
  await shell.complain(`compopt: ${problem}`);
  if (!problem.endsWith("name")) await shell.write(2, `compopt: usage: ${compoptUsage}\n`);
  return 2;
}

async function changeCurrent(
  shell: Shell,
  on: ReadonlySet<string>,
  off: ReadonlySet<string>,
): Promise<number> {
  const { current } = shell.completions;
  if (current === undefined) {
    await shell.complain("compopt: not currently executing completion function");
    return 1;
  }
  if (on.size + off.size === 0) await shell.write(1, `${describeOptions(current)}\n`);
  for (const name of on) current.add(name);
  for (const name of off) current.delete(name);
  return 0;
}

async function changeNamed(
  shell: Shell,
  names: readonly string[],
  { on, off }: Change,
): Promise<number> {
  let status = 0;
  for (const name of names) {
    const spec = shell.completions.get(name);
    if (spec === undefined) {
      await complainMissing(shell, "compopt", name);
      status = 1;
    } else if (on.size + off.size === 0) {
      await shell.write(1, `${describeOptions(spec.options)} ${describeName(name)}\n`);
    } else {
      const options = new Set([...spec.options, ...on].filter((option) => !off.has(option)));
      shell.completions.set(name, { ...spec, options });
    }
  }
  return status;
}

function describeOptions(options: ReadonlySet<string>): string {
  const words = completionOptions.map((name) => `${options.has(name) ? "-" : "+"}o ${name}`);
  return `compopt ${words.join(" ")}`;
}
