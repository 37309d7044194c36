// Node's command line: its own options, then the script and the script's arguments.
import { optionInfo, optionValues } from "../bindings/options.ts";

export interface CommandLine {
  /** Node's own options as they stood there. */
  readonly execArgv: readonly string[];
  /** The script and its arguments. */
  readonly rest: readonly string[];
  /** What is wrong with it, in Node's words; the process ends with status 9. */
  readonly problem?: string;
}

/** Node's kinds of option, see src/node_options.h. */
const kind = { noOp: 0, v8: 1, boolean: 2, integer: 3, uinteger: 4, text: 5, hostPort: 6, list: 7 } as const;

/** Parses argv (without argv[0]) into `optionValues`. */
export function parseOptions(argv: readonly string[]): CommandLine {
  const pending = [...argv];
  const execArgv: string[] = [];
  for (;;) {
    const arg = pending[0];
    if (arg === undefined || !arg.startsWith("-") || arg === "-") break;
    pending.shift();
    if (arg === "--") break;
    execArgv.push(arg);
    const problem = takeOption(arg, pending, execArgv);
    if (problem !== undefined) return { execArgv, rest: [], problem };
  }
  return { execArgv, rest: pending };
}

function takeOption(arg: string, pending: string[], execArgv: string[]): string | undefined {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  const given = equals < 0 ? arg : arg.slice(0, equals);
  const inline = equals < 0 ? undefined : arg.slice(equals + 1);
  const normal = given.startsWith("--") ? `--${given.slice(2).replaceAll("_", "-")}` : given;
  const [name = normal, ...more] = expandAlias(normal, pending);
  pending.unshift(...more);
  const negated = name.startsWith("--no-") ? `--${name.slice(5)}` : undefined;
  const option = optionInfo.options.get(name) ?? optionInfo.options.get(negated ?? "");
  if (option === undefined) return isV8Option(name) ? undefined : `bad option: ${arg}`;
  if (option.type === kind.boolean || option.type === kind.noOp || option.type === kind.v8) {
    setFlag(negated !== undefined && !optionInfo.options.has(name) ? negated : name, negated === undefined);
    return undefined;
  }
  const value = inline ?? takeValue(pending, execArgv);
  if (value === undefined) return `${arg} requires an argument`;
  setValue(name, option.type, value);
  return undefined;
}

/** V8's own flags are taken and have no effect: the VM's V8 has its flags from the server. */
function isV8Option(name: string): boolean {
  return /^--(?:no-)?(?:stack-|max-|min-|semi-|harmony|js-|expose-gc|allow-natives|trace-|jitless|opt|turbo|flush|optimize|use-|experimental-wasm)/.test(name);
}

function expandAlias(name: string, pending: readonly string[]): readonly string[] {
  const next = pending[0];
  const withArgument =
    next !== undefined && !next.startsWith("-") ? optionInfo.aliases.get(`${name} <arg>`) : undefined;
  const found = withArgument ?? optionInfo.aliases.get(name);
  return found === undefined ? [name] : found.length === 0 ? [name] : [...found];
}

function takeValue(pending: string[], execArgv: string[]): string | undefined {
  const value = pending.shift();
  if (value === undefined) return undefined;
  execArgv.push(value);
  return value;
}

function setFlag(name: string, isOn: boolean): void {
  optionValues.set(name, isOn);
  optionValues.set(`--no-${name.slice(2)}`, !isOn);
}

function setValue(name: string, type: number, value: string): void {
  if (type === kind.list) {
    const before = optionValues.get(name);
    optionValues.set(name, [...(Array.isArray(before) ? before : []), value]);
    return;
  }
  const isNumber = type === kind.integer || type === kind.uinteger;
  optionValues.set(name, isNumber ? Number(value) : value);
  if (name === "--eval") optionValues.set("[has_eval_string]", true);
}
