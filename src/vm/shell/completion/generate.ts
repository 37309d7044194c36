/** The completions that a spec gives for a word. */
import { compilePattern } from "../expansion/pattern.ts";
import { expandWords } from "../expansion/word.ts";
import type { Shell } from "../state/shell.ts";
import { ShellError } from "../state/shell-error.ts";
import { parse } from "../syntax/parse.ts";
import { runCompletionCommand, runCompletionFunction } from "./call-completion.ts";
import { listAction } from "./candidates.ts";
import type { CompletionSpec } from "./completion-spec.ts";
import { listPaths } from "./list-paths.ts";

/** The line that is completed, as COMP_LINE and its kin tell it. */
export interface CompletionLine {
  /** The command whose words are completed. */
  readonly command: string;
  /** The word so far, without its quotes. */
  readonly word: string;
  readonly previous: string;
  readonly line: string;
  readonly point: number;
  /** What the key asks for: `\t` to complete, `?` to list. */
  readonly type: number;
  readonly key: number;
  readonly words: readonly string[];
  /** The index of the word; -1 outside a line. */
  readonly index: number;
}

export interface Generated {
  readonly matches: readonly string[];
  /** The function asks for the spec to be looked up again (status 124). */
  readonly isRetry: boolean;
}

const RETRY_STATUS = 124;

/** Order of actions in the result, whatever their order on the command line. */
const actionOrder: readonly string[] = [
  "alias",
  "arrayvar",
  "binding",
  "builtin",
  "disabled",
  "enabled",
  "export",
  "function",
  "helptopic",
  "hostname",
  "job",
  "keyword",
  "running",
  "setopt",
  "shopt",
  "signal",
  "stopped",
  "variable",
  "command",
  "file",
  "user",
  "group",
  "service",
  "directory",
];

export async function generateCompletions(
  shell: Shell,
  spec: CompletionSpec,
  line: CompletionLine,
): Promise<Generated> {
  const found: string[] = [];
  for (const action of actionOrder)
    if (spec.actions.has(action)) found.push(...(await listAction(shell, action, line.word)));
  if (spec.globPattern !== undefined) found.push(...(await expandGlob(shell, spec.globPattern)));
  if (spec.words !== undefined) found.push(...(await listWords(shell, spec.words, line.word)));
  if (spec.functionName !== undefined) {
    const { status, reply } = await runCompletionFunction(shell, spec.functionName, line);
    if (status === RETRY_STATUS) return { matches: [], isRetry: true };
    found.push(...reply);
  }
  if (spec.command !== undefined)
    found.push(...(await runCompletionCommand(shell, spec.command, line)));
  const kept = filter(shell, spec.filter, found, line.word);
  const { prefix = "", suffix = "", options } = spec;
  const dressed = kept.map((text) => `${prefix}${text}${suffix}`);
  const needsDirectories =
    options.has("plusdirs") || (dressed.length === 0 && options.has("dirnames"));
  if (needsDirectories) dressed.push(...(await listPaths(shell, line.word, "directories")));
  return { matches: dressed, isRetry: false };
}

/** `-X`: takes away what matches, with `!` what does not; `&` is the word. */
function filter(
  shell: Shell,
  pattern: string | undefined,
  found: readonly string[],
  word: string,
): readonly string[] {
  if (pattern === undefined || pattern === "") return found;
  const isNegated = pattern.startsWith("!");
  const quoted = word.replace(/[\\*?[\]()|!+@]/g, "\\$&");
  const source = (isNegated ? pattern.slice(1) : pattern).replace(/\\&|&/g, (at) =>
    at === "&" ? quoted : "&",
  );
  const compiled = shell.remember(shell.patternCache, source, compilePattern);
  return found.filter((text) => compiled.test(text) === isNegated);
}

/** `-W`: a list of words, split and expanded like a command's, without globs. */
async function listWords(shell: Shell, list: string, word: string): Promise<string[]> {
  const words = await withoutGlobs(shell, () => expandList(shell, quoteOperators(shell, list)));
  return words.filter((text) => text.startsWith(word));
}

async function expandGlob(shell: Shell, pattern: string): Promise<string[]> {
  const words = await expandList(shell, pattern.replace(/[\s;&|<>'"$`]/g, "\\$&"));
  return words.length === 1 && words[0] === pattern ? [] : words;
}

async function withoutGlobs<T>(shell: Shell, step: () => Promise<T>): Promise<T> {
  const had = shell.options.has("noglob");
  shell.options.set("noglob", true);
  try {
    return await step();
  } finally {
    shell.options.set("noglob", had);
  }
}

async function expandList(shell: Shell, source: string): Promise<string[]> {
  const script = parse(`for _ in ${source}\ndo :; done\n`);
  const command = script.statements[0]?.command;
  if (script.error !== undefined || command?.kind !== "for" || command.words === undefined)
    throw new ShellError(`${source}: bad substitution`);
  return expandWords(shell, command.words);
}

/** The separators of IFS as blanks, and what would be an operator as itself. */
function quoteOperators(shell: Shell, list: string): string {
  const separators = shell.variables.get("IFS") ?? " \t\n";
  let source = "";
  let quote = "";
  let depth = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at);
    if (character === "\\" && quote !== "'") {
      source += list.slice(at, at + 2);
      at += 1;
      continue;
    }
    if (quote !== "") {
      if (character === quote) quote = "";
      source += character;
    } else if ("'\"`".includes(character)) {
      quote = character;
      source += character;
    } else if (depth > 0 || (character === "$" && /[({]/.test(list.charAt(at + 1)))) {
      if ("({".includes(character)) depth += 1;
      if (")}".includes(character)) depth -= 1;
      if (character === "$" && depth === 0) {
        depth = 1;
        source += list.slice(at, at + 2);
        at += 1;
        continue;
      }
      source += character;
    } else if (separators.includes(character)) source += " ";
    else source += /[\s;&|<>()#]/.test(character) ? `\\${character}` : character;
  }
  return source;
}
