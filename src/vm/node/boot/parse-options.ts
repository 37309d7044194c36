// Node's command line: its own options, then the script and the script's arguments. As OptionsParser in
// src/node_options-inl.h.
import { optionInfo, optionValues } from "../bindings/options.ts";
import { checkOptions } from "./check-options.ts";

export interface CommandLine {
  /** Node's own options as they stood there. */
  readonly execArgv: readonly string[];
  /** The script and its arguments. */
  readonly rest: readonly string[];
  /** What is wrong with it, in Node's words; the process ends with status 9. */
  readonly problem?: string;
}

/** Node's kinds of option, see src/node_options.h. */
const kind = {
  noOp: 0,
  v8: 1,
  boolean: 2,
  integer: 3,
  uinteger: 4,
  text: 5,
  hostPort: 6,
  list: 7,
} as const;
/** Whether an option may stand in NODE_OPTIONS. */
const DISALLOWED_IN_ENVIRONMENT = 1;

const implied: Readonly<Record<string, readonly (readonly [string, boolean])[]>> = {
  "--inspect-brk": [["--inspect", true]],
  "--inspect-brk-node": [["--inspect", true]],
  "--inspect-wait": [["--inspect", true]],
  "--experimental-require-module": [["--require-module", true]],
  "--no-experimental-require-module": [["--require-module", false]],
  "--env-file": [["[has_env_file_string]", true]],
  "--env-file-if-exists": [["[has_env_file_string]", true]],
  "--test-random-seed": [["[has_test_random_seed]", true]],
  "--trace-env-js-stack": [["--trace-env", true]],
  "--trace-env-native-stack": [["--trace-env", true]],
  "--watch-path": [["--watch", true]],
  "--eval": [["[has_eval_string]", true]],
  "--report-signal": [["--report-on-signal", true]],
  "--use-openssl-ca": [["[ssl_openssl_cert_store]", true]],
  "--use-bundled-ca": [["[ssl_openssl_cert_store]", false]],
};

/** The arguments that are left, and those that an alias stands for. */
class Pending {
  readonly execArgv: string[] = [];
  readonly #given: string[];
  readonly #expanded: string[] = [];

  constructor(given: readonly string[]) {
    this.#given = [...given];
  }

  get first(): string | undefined {
    return this.#expanded[0] ?? this.#given[0];
  }

  get rest(): readonly string[] {
    return this.#given;
  }

  take(): string | undefined {
    if (this.#expanded.length > 0) return this.#expanded.shift();
    const arg = this.#given.shift();
    if (arg !== undefined) this.execArgv.push(arg);
    return arg;
  }

  expand(args: readonly string[]): void {
    this.#expanded.unshift(...args);
  }
}

/** Parses argv (without argv[0]) into `optionValues`. */
export function parseOptions(argv: readonly string[], isEnvironment = false): CommandLine {
  const pending = new Pending(argv);
  let problem: string | undefined;
  while (problem === undefined) {
    const { first } = pending;
    if (first === undefined || first.length <= 1 || !first.startsWith("-")) break;
    pending.take();
    if (first === "--") {
      if (isEnvironment) problem = notAllowed("--");
      else pending.execArgv.pop();
      break;
    }
    problem = takeOption(first, pending, isEnvironment);
  }
  const { execArgv, rest } = pending;
  problem ??= checkOptions(rest);
  return problem === undefined ? { execArgv, rest } : { execArgv, rest, problem };
}

/** The words of NODE_OPTIONS; a text where something is wrong with it. */
export function splitEnvironmentOptions(text: string): readonly string[] | string {
  const args: string[] = [];
  let isQuoted = false;
  let isNew = true;
  for (let at = 0; at < text.length; at += 1) {
    let char = text[at] ?? "";
    if (char === "\\" && isQuoted) {
      at += 1;
      if (at === text.length) return "invalid value for NODE_OPTIONS (invalid escape)\n";
      char = text[at] ?? "";
    } else if (char === " " && !isQuoted) {
      isNew = true;
      continue;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (isNew) args.push(char);
    else args[args.length - 1] += char;
    isNew = false;
  }
  return isQuoted ? "invalid value for NODE_OPTIONS (unterminated string)\n" : args;
}

function notAllowed(name: string): string {
  return `${name} is not allowed in NODE_OPTIONS`;
}

function takeOption(arg: string, pending: Pending, isEnvironment: boolean): string | undefined {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  const given = equals < 0 ? arg : arg.slice(0, equals);
  const shown = equals < 0 ? given : `${given}=`;
  const normal = given.slice(0, 2) + given.slice(2).replaceAll("_", "-");
  const isNegated = normal.startsWith("--no-");
  const name = expandAlias(isNegated ? `--${normal.slice(5)}` : normal, pending, equals >= 0);
  const option = optionInfo.options.get(name);
  if (
    isEnvironment &&
    (option === undefined || option.envVarSettings === DISALLOWED_IN_ENVIRONMENT)
  )
    return notAllowed(shown);
  for (const [other, isOn] of implied[isNegated ? `--no-${name.slice(2)}` : name] ?? [])
    setFlag(other, isOn);
  if (option === undefined)
    return isV8Option(name) ? takeV8Option(name, isNegated, arg) : `bad option: ${arg}`;
  const { type } = option;
  if (type === kind.noOp || type === kind.v8) return takeV8Option(name, isNegated, arg);
  if (type === kind.boolean) {
    setFlag(name, !isNegated);
    return undefined;
  }
  if (isNegated) return `${arg} is an invalid negation because it is not a boolean option`;
  const value = equals < 0 ? pending.take() : arg.slice(equals + 1);
  const isMissing = value === undefined || (equals >= 0 ? value === "" : value.startsWith("-"));
  if (isMissing) return `${shown} requires an argument`;
  setValue(name, type, equals < 0 ? value.replace(/^\\-/, "-") : value);
  return undefined;
}

/**
 * The VM's V8 has its flags from the server. Those that a script or whoever reads its output would miss are refused;
 * those about speed and memory are taken, and have no effect but for what `machine` makes of them.
 */
function takeV8Option(name: string, isNegated: boolean, arg: string): string | undefined {
  const equals = arg.indexOf("=");
  const value = equals < 0 ? undefined : arg.slice(equals + 1);
  if (!isNegated && seenV8Option.test(name) && optionInfo.options.get(name)?.type !== kind.noOp)
    return `${name} is not supported in a VM: V8's flags are the server's there`;
  if (numericV8Option.test(name) && !/^\d*$/.test(value ?? "-")) return `bad option: ${arg}`;
  optionValues.set(name, value ?? !isNegated);
  return undefined;
}

/** Another language, another output, another end: not only another speed. */
const seenV8Option =
  /^--(?:harmony|js-|es-staging|experimental-wasm|wasm-|use-strict|allow-natives|disallow-code-generation|expose-(?!gc$)|trace-|print-|log|perf-|interpreted-frames|jitless|abort-on|random-seed|hash-seed|predictable|stress-|fuzzing|verify-|mock-)/;
/** Those whose number counts. */
const numericV8Option = /^--(?:max-old-space-size|stack-trace-limit|stack-size)$/;

function isV8Option(name: string): boolean {
  return /^--(?:stack-|max-|min-|semi-|initial-|harmony|js-|expose-|allow-natives|trace-|jit|opt|turbo|sparkplug|maglev|flush|optimize|use-|experimental-wasm|wasm-|gc-|always-|lazy|no-|random-seed|single-threaded|predictable|abort-on|huge-|hash-seed|rehash|concurrent-|parallel-|incremental-|enable-|disable-|interpreted-|log|prof|perf-|print-|block-|stress-|verify-|fuzzing|sandbox|cppgc|minor-|scavenge|detect-|compact|page-|retain-|builtin|icu-|correctness|memory-|mock-|es-staging|shipping|future)/.test(
    name,
  );
}

function expandAlias(given: string, pending: Pending, hasValue: boolean): string {
  let name = given;
  for (;;) {
    const next = pending.first;
    const isFollowed = next !== undefined && next !== "" && !next.startsWith("-");
    const expansion =
      optionInfo.aliases.get(name) ??
      (hasValue ? optionInfo.aliases.get(`${name}=`) : undefined) ??
      (isFollowed ? optionInfo.aliases.get(`${name} <arg>`) : undefined);
    const [first, ...more] = expansion ?? [];
    if (first === undefined) return name;
    pending.expand(more);
    if (first === name) return name;
    name = first;
  }
}

function setFlag(name: string, isOn: boolean): void {
  optionValues.set(name, isOn);
  if (name.startsWith("--")) optionValues.set(`--no-${name.slice(2)}`, !isOn);
}

function setValue(name: string, type: number, value: string): void {
  if (type === kind.list) {
    const before = optionValues.get(name);
    optionValues.set(name, [...(Array.isArray(before) ? before : []), value]);
    return;
  }
  if (type === kind.hostPort) {
    optionValues.set(name, { host: "127.0.0.1", ...hostPort(value) });
    return;
  }
  const isNumber = type === kind.integer || type === kind.uinteger;
  optionValues.set(name, isNumber ? Number.parseInt(value, 10) || 0 : value);
}

function hostPort(value: string): { host?: string; port: number } {
  const colon = value.lastIndexOf(":");
  const port = Number(value.slice(colon + 1));
  return colon < 0 ? { port } : { host: value.slice(0, colon), port };
}
