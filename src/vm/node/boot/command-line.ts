// All that says how a process is to run: .env files, NODE_OPTIONS, the command line, and the environment.
import { optionValues } from "../bindings/options.ts";
import { call } from "../channel.ts";
import { facts } from "../facts.ts";
import { native } from "../native.ts";
import { type CommandLine, parseOptions, splitEnvironmentOptions } from "./parse-options.ts";
import { printError } from "./report-fatal.ts";

type ParseEnv = (content: string) => Record<string, string>;

/** In node's order: what comes later counts more. */
export function readCommandLine(argv: readonly string[], parseEnv: ParseEnv): CommandLine {
  const nothing = { execArgv: [], rest: [] };
  const problem = loadEnvironmentFiles(argv, parseEnv) ?? parseEnvironment();
  if (problem !== undefined) return { ...nothing, problem };
  const line = parseOptions(argv);
  if (line.problem !== undefined) return line;
  const { env } = facts;
  for (const [name, option] of environmentFlags)
    if (env.get(name)?.startsWith("1") === true) optionValues.set(option, true);
  const redirect = env.get("NODE_REDIRECT_WARNINGS");
  if (redirect !== undefined && optionValues.get("--redirect-warnings") === "")
    optionValues.set("--redirect-warnings", redirect);
  applyV8Options();
  return line;
}

const environmentFlags = [
  ["NODE_PENDING_DEPRECATION", "--pending-deprecation"],
  ["NODE_PRESERVE_SYMLINKS", "--preserve-symlinks"],
  ["NODE_PRESERVE_SYMLINKS_MAIN", "--preserve-symlinks-main"],
] as const;

function parseEnvironment(): string | undefined {
  const text = facts.env.get("NODE_OPTIONS");
  if (text === undefined || text === "") return undefined;
  const args = splitEnvironmentOptions(text);
  return typeof args === "string" ? args : parseOptions(args, true).problem;
}

/**
 * --env-file and --env-file-if-exists, wherever they stand: of a name in several files the last counts,
 * and names that the environment has already stay as they are.
 */
function loadEnvironmentFiles(argv: readonly string[], parseEnv: ParseEnv): string | undefined {
  const values: Record<string, string> = {};
  for (const { file, isOptional } of environmentFiles(argv)) {
    const content: string | null = call("readText", file);
    if (content !== null) Object.assign(values, parseEnv(content));
    else if (isOptional) printError(`${file} not found. Continuing without it.\n`);
    else return `${file}: not found`;
  }
  for (const [name, value] of Object.entries(values))
    if (!facts.env.has(name)) facts.env.set(name, value);
  return undefined;
}

function* environmentFiles(
  argv: readonly string[],
): Generator<{ readonly file: string; readonly isOptional: boolean }> {
  for (let at = 0; at < argv.length && argv[at] !== "--"; at += 1) {
    const [, option, , inline] =
      /^(--env-file(?:-if-exists)?)(=(.*))?$/s.exec(argv[at] ?? "") ?? [];
    if (option === undefined) continue;
    if (inline === undefined) at += 1;
    const file = inline ?? argv[at];
    if (file !== undefined) yield { file, isOptional: option !== "--env-file" };
  }
}

/** --max-old-space-size, within what the VM gives. */
function lowerHeapLimit(): void {
  const limitMb = Number(optionValues.get("--max-old-space-size"));
  if (!(limitMb >= 1) || limitMb * 2 ** 20 >= native["heapStatistics"]()[HEAP_LIMIT]) return;
  native["lowerHeapLimit"](limitMb * 2 ** 20);
  call("heapLowered", limitMb);
}

/** The place of the heap's limit in heapStatistics(). */
const HEAP_LIMIT = 5;

/** Of V8's flags, those that a guest can see. */
function applyV8Options(): void {
  const limit = optionValues.get("--stack-trace-limit");
  if (typeof limit === "number") Error.stackTraceLimit = limit;
  lowerHeapLimit();
  if (optionValues.get("--expose-gc") !== true) return;
  const gc = (options?: { execution?: string }): unknown => {
    native["collectGarbage"]();
    return options?.execution === "async" ? Promise.resolve() : undefined;
  };
  Object.defineProperty(globalThis, "gc", {
    value: gc,
    writable: true,
    enumerable: true,
    configurable: false,
  });
}
