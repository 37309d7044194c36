// Takes a command line apart. Runs on Node 20.

import { type Option, UsageError } from "./settings.ts";
import { suggest } from "./suggest.ts";

export interface CommandLine {
  /** Options with a value, from flags and from their environment variables. */
  readonly flags: ReadonlyMap<string, string>;
  /** Options that can be given more than once, with all their values. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Switches that are set. */
  readonly switches: ReadonlySet<string>;
  /** What is left, the words after `--` as they are. */
  readonly words: readonly string[];
}

/** Reads flags (`--name value`, `--name=value`) and words. Throws UsageError on a flag nobody knows. */
export function parseCommandLine(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  env: NodeJS.ProcessEnv,
): CommandLine {
  const flags = flagsFromEnvironment(options, env);
  const lists = new Map<string, string[]>();
  const switches = new Set<string>();
  const words: string[] = [];
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      words.push(...rest);
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const { name, value } = splitFlag(word);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw unknownFlag(word, Object.keys(options));
    if (option.value === undefined) switches.add(name);
    else keep({ flags, lists }, name, option, value ?? requireValue(name, rest.shift()));
  }
  return { flags, lists, switches, words };
}

function keep(
  into: { flags: Map<string, string>; lists: Map<string, string[]> },
  name: string,
  { isList }: Option,
  value: string,
): void {
  if (isList === true) into.lists.set(name, [...(into.lists.get(name) ?? []), value]);
  else into.flags.set(name, value);
}

function flagsFromEnvironment(
  options: Readonly<Record<string, Option>>,
  env: NodeJS.ProcessEnv,
): Map<string, string> {
  const flags = new Map<string, string>();
  for (const [name, { value, env: variable }] of Object.entries(options)) {
    const text = variable === undefined ? undefined : env[variable];
    if (value !== undefined && text !== undefined && text !== "") flags.set(name, text);
  }
  return flags;
}

function splitFlag(word: string): { name: string; value: string | undefined } {
  const bare = word.replace(/^--?/, "");
  const at = bare.indexOf("=");
  return at === -1
    ? { name: bare, value: undefined }
    : { name: bare.slice(0, at), value: bare.slice(at + 1) };
}

function requireValue(name: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`--${name} needs a value.`);
  return value;
}

function unknownFlag(word: string, known: readonly string[]): UsageError {
  const { name } = splitFlag(word);
  const close = suggest(name, known);
  return new UsageError(
    `Unknown option ${word}.${close === undefined ? "" : ` Did you mean --${close}?`}`,
  );
}
