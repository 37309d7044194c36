/** What can stand at the point of a command line. */
import { quoteText } from "../expansion/quote-text.ts";
import type { Shell } from "../state/shell.ts";
import { listAction } from "./candidates.ts";
import { type CompletionSpec, emptySpec, specialNames } from "./completion-spec.ts";
import { generateCompletions } from "./generate.ts";
import { listPaths } from "./list-paths.ts";
import { type LineWord, type SplitLine, splitLine, unquote } from "./split-line.ts";

/** What to complete as, where it is not for the line to say. */
export type CompletionKind = "any" | "command" | "file" | "variable" | "user" | "hostname";

export interface LineCompletion {
  /** The part of the line that a match replaces; it ends at the point. */
  readonly start: number;
  readonly matches: readonly string[];
  readonly quote: "" | "'" | '"';
  /** The matches are paths: directories get a slash, odd characters quotes. */
  readonly isPath: boolean;
  /** As `complete -o` names them. */
  readonly options: ReadonlySet<string>;
}

export interface CompletionRequest {
  readonly text: string;
  readonly point: number;
  readonly kind: CompletionKind;
  /** COMP_TYPE. */
  readonly type: number;
}

/** Commands whose operand is a command. */
const prefixCommands = new Set([
  "sudo",
  "env",
  "nice",
  "nohup",
  "time",
  "timeout",
  "command",
  "builtin",
  "exec",
  "xargs",
  "which",
  "type",
  "watch",
  "strace",
]);
/** Commands that want directories. */
const directoryCommands = new Set(["cd", "pushd", "rmdir"]);
const noOptions: ReadonlySet<string> = new Set();
/** How often a completion function may ask for another look. */
const RETRIES = 8;

export async function completeLine(
  shell: Shell,
  request: CompletionRequest,
): Promise<LineCompletion> {
  const split = splitLine(request.text, request.point);
  const word = split.words.at(-1) ?? { start: request.point, end: request.point, raw: "" };
  if (request.kind !== "any") return completeAs(shell, request.kind, word, split);
  const variable = await completeVariable(shell, word, split);
  if (variable !== undefined) return variable;
  const isUser = /^~[^/]*$/.test(word.raw) && split.quote === "";
  if (isUser) {
    const users = await completeAs(shell, "user", word, split);
    if (users.matches.length > 0) return users;
  }
  if (split.isRedirect) return completePaths(shell, word, split);
  if (isCommandPlace(split.words)) {
    const commands = await completeAs(shell, "command", word, split);
    return commands.matches.length > 0 ? commands : completePaths(shell, word, split);
  }
  const programmed = shell.options.has("progcomp")
    ? await completeByProgram(shell, request, split)
    : undefined;
  return programmed ?? completePaths(shell, word, split);
}

/** Whether the last word is where a command stands: only assignments and prefixes before it. */
function isCommandPlace(words: readonly LineWord[]): boolean {
  for (const { raw } of words.slice(0, -1)) {
    const isPassed = /^[A-Za-z_]\w*=/.test(raw) || prefixCommands.has(raw) || raw.startsWith("-");
    if (!isPassed) return false;
  }
  const hasOption = (words.at(-1)?.raw ?? "").startsWith("-");
  return !(hasOption && words.length > 1);
}

async function completeAs(
  shell: Shell,
  kind: Exclude<CompletionKind, "any">,
  word: LineWord,
  split: SplitLine,
): Promise<LineCompletion> {
  if (kind === "file") return completePaths(shell, word, split);
  const text = unquote(word.raw);
  const plain = { start: word.start, quote: split.quote, isPath: false, options: noOptions };
  if (kind === "user") {
    const users = await listAction(shell, "user", text.replace(/^~/, ""));
    return {
      ...plain,
      matches: users.map((name) => `~${name}/`),
      options: new Set(["nospace", "noquote"]),
    };
  }
  if (kind === "variable") {
    const names = await listAction(shell, "variable", text.replace(/^\$/, ""));
    return { ...plain, matches: names.map((name) => `$${name}`), options: new Set(["noquote"]) };
  }
  const matches = [...new Set(await listAction(shell, kind, text))].toSorted();
  return { ...plain, matches, isPath: kind === "command" && text.includes("/") };
}

/** `$NAME` or `${NAME` at the end of the word. */
async function completeVariable(
  shell: Shell,
  word: LineWord,
  { quote }: SplitLine,
): Promise<LineCompletion | undefined> {
  if (quote === "'") return undefined;
  const found = /(\$\{?)(\w*)$/.exec(word.raw);
  if (found === null) return undefined;
  const [whole, opening = "$", name = ""] = found;
  const names = await listAction(shell, "variable", name);
  const closing = opening === "${" ? "}" : "";
  const isPath =
    names.length === 1 && closing === "" && (await isDirectoryVariable(shell, names[0]));
  return {
    start: word.end - whole.length,
    matches: names.map((one) => `${opening}${one}${closing}${isPath ? "/" : ""}`),
    quote: "",
    isPath: false,
    options: new Set(quote === "" && !isPath ? ["noquote"] : ["noquote", "nospace"]),
  };
}

async function isDirectoryVariable(shell: Shell, name = ""): Promise<boolean> {
  const value = shell.variables.get(name) ?? "";
  if (!value.startsWith("/") || value === "/") return false;
  return (await listPaths(shell, value, "directories")).includes(value);
}

/** Files, or directories where the command takes nothing else. An option's value follows its `=`. */
async function completePaths(
  shell: Shell,
  word: LineWord,
  split: SplitLine,
): Promise<LineCompletion> {
  const command = split.words.length > 1 ? (split.words[0]?.raw ?? "") : "";
  const cut = split.quote === "" ? (/^.*[=:](?=[^=:]*$)/s.exec(word.raw)?.[0].length ?? 0) : 0;
  const text = unquote(word.raw.slice(cut));
  const isDirectory = directoryCommands.has(command) && !split.isRedirect;
  const matches = await listPaths(shell, text, isDirectory ? "directories" : "all");
  const start = word.start + cut;
  return { start, matches, quote: split.quote, isPath: true, options: noOptions };
}

/** What `complete` was told for the command; undefined where that leaves it to the default. */
async function completeByProgram(
  shell: Shell,
  request: CompletionRequest,
  split: SplitLine,
): Promise<LineCompletion | undefined> {
  const command = unquote(split.words[0]?.raw ?? "");
  const pieces = breakWords(shell, split.words);
  const last = pieces.at(-1) ?? { start: request.point, end: request.point, raw: "" };
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    const spec = findSpec(shell, command);
    if (spec === undefined) return undefined;
    const current = new Set(spec.options);
    shell.completions.current = current;
    const start = split.words[0]?.start ?? 0;
    const { matches, isRetry } = await generateCompletions(shell, spec, {
      command,
      word: unquote(last.raw),
      previous: unquote(pieces.at(-2)?.raw ?? ""),
      line: request.text.slice(start),
      point: request.point - start,
      type: request.type,
      key: 9,
      words: pieces.map(({ raw }) => raw),
      index: pieces.length - 1,
    }).finally(() => {
      shell.completions.current = undefined;
    });
    if (isRetry) continue;
    const isFallback = current.has("default") || current.has("bashdefault");
    if (matches.length === 0 && isFallback) return undefined;
    const isPath =
      current.has("filenames") || spec.actions.has("file") || spec.actions.has("directory");
    const sorted = current.has("nosort") ? [...new Set(matches)] : [...new Set(matches)].toSorted();
    return { start: last.start, matches: sorted, quote: split.quote, isPath, options: current };
  }
  return undefined;
}

function findSpec(shell: Shell, command: string): CompletionSpec | undefined {
  const base = command.slice(command.lastIndexOf("/") + 1);
  return (
    shell.completions.get(command) ??
    shell.completions.get(base) ??
    findToolkitSpec(command, base) ??
    shell.completions.get(specialNames.get("D") ?? "")
  );
}

/** `agentos` and `agentos-<toolkit>` complete their words themselves, as if `complete -C` had been said. */
function findToolkitSpec(command: string, base: string): CompletionSpec | undefined {
  if (!/^agentos(-.|$)/.test(base)) return undefined;
  return { ...emptySpec, command: quoteText(command), options: new Set(["default", "nosort"]) };
}

/** COMP_WORDS: words cut further at the characters of COMP_WORDBREAKS that are no quotes or blanks. */
function breakWords(shell: Shell, words: readonly LineWord[]): LineWord[] {
  const breaks = (shell.variables.get("COMP_WORDBREAKS") ?? "\"'><=;|&(:").replace(/[\s"']/g, "");
  return words.flatMap(({ start, raw }) => {
    const pieces: LineWord[] = [];
    let from = 0;
    let quote = "";
    for (let at = 0; at < raw.length; at++) {
      const character = raw.charAt(at);
      if (character === "\\" && quote !== "'") at += 1;
      else if (quote !== "") quote = character === quote ? "" : quote;
      else if (character === "'" || character === '"') quote = character;
      else if (breaks.includes(character)) {
        if (at > from)
          pieces.push({ start: start + from, end: start + at, raw: raw.slice(from, at) });
        let end = at + 1;
        while (end < raw.length && breaks.includes(raw.charAt(end))) end += 1;
        pieces.push({ start: start + at, end: start + end, raw: raw.slice(at, end) });
        from = end;
        at = end - 1;
      }
    }
    const isLastBroken = from === raw.length && pieces.length > 0;
    if (!isLastBroken || from > 0)
      pieces.push({ start: start + from, end: start + raw.length, raw: raw.slice(from) });
    return pieces;
  });
}
