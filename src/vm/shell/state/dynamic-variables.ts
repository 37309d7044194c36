/** Variables whose value is made when they are read. Unset they are plain names, as in bash. */

import { printCommand } from "../syntax/print-command.ts";
import { AssociativeArray, IndexedArray } from "./arrays.ts";
import { setOptions, shoptNames } from "./options.ts";
import type { Shell } from "./shell.ts";
import type { Variable, VariableValue } from "./variables.ts";

/** By name: the letters of `declare`; `*` ignores assignments, `=` takes them, else they make it plain. */
const rows: readonly (readonly [name: string, letters: string])[] = [
  ["BASHOPTS", "r"],
  ["BASHPID", "i*"],
  ["BASH_ALIASES", "A"],
  ["BASH_ARGC", "a*"],
  ["BASH_ARGV", "a*"],
  ["BASH_ARGV0", "="],
  ["BASH_CMDS", "A"],
  ["BASH_COMMAND", "*"],
  ["BASH_LINENO", "a*"],
  ["BASH_SOURCE", "a*"],
  ["BASH_SUBSHELL", ""],
  ["COMP_WORDBREAKS", ""],
  ["DIRSTACK", "a"],
  ["EPOCHREALTIME", "*"],
  ["EPOCHSECONDS", "*"],
  ["FUNCNAME", "a*"],
  ["GROUPS", "a*"],
  ["HISTCMD", "i"],
  ["LINENO", "="],
  ["PIPESTATUS", "a*"],
  ["RANDOM", "i="],
  ["SECONDS", "="],
  ["SHELLOPTS", "r"],
  ["SRANDOM", "i*"],
  ["_", "*"],
];

const letters = new Map(rows);

const optionNames = [...setOptions.map((row): string => row[1]), ...shoptNames];

/** Gives a new shell, which has what its environment holds, its dynamic variables. */
export function seedDynamic(shell: Shell): void {
  const { variables } = shell;
  const given = `${variables.get("SHELLOPTS") ?? ""}:${variables.get("BASHOPTS") ?? ""}`.split(":");
  shell.startOptions = optionNames.filter((name) => given.includes(name));
  for (const [name, flags] of rows) {
    const variable = variables.ensureGlobal(name);
    variable.value = undefined;
    variable.dynamic = name;
    variable.isExported &&= flags === "r";
    variable.isReadonly = flags === "r";
    variable.isInteger = flags.includes("i");
  }
  connectDynamic(shell);
}

/** Lets a shell's variables, new or copied, read what is dynamic in them. */
export function connectDynamic(shell: Shell): void {
  shell.variables.readDynamic = (kind) => readDynamic(shell, kind);
  shell.variables.onCircle = (name) => {
    const notice = `warning: ${name}: circular name reference`;
    if (!shell.notices.includes(notice)) shell.notices.push(notice);
  };
}

/** The letter of a dynamic variable that is an array. */
export function dynamicKind(variable: Variable): "a" | "A" | "" {
  const flags = letters.get(variable.dynamic ?? "") ?? "";
  return flags.includes("A") ? "A" : flags.includes("a") ? "a" : "";
}

/** Takes an assignment to a dynamic variable; answers whether that is all there is to it. */
export function assignDynamic(shell: Shell, variable: Variable, value: string): boolean {
  const kind = variable.dynamic ?? "";
  const flags = letters.get(kind) ?? "";
  if (flags.includes("*")) return true;
  const number = variable.isInteger
    ? Number(shell.interpreter.evaluate(shell, value))
    : /^[-+]?\d+$/.test(value.trim())
      ? Number(value)
      : 0;
  if (kind === "SECONDS") {
    shell.secondsBase = number;
    shell.startedMs = shell.clockMs;
  } else if (kind === "RANDOM")
    shell.random = { seed: number >>> 0, last: 0, depth: shell.subshellDepth };
  else if (kind === "BASH_ARGV0") shell.name = value;
  else if (kind === "LINENO") shell.line = number;
  else {
    // Plain from now on; an array keeps what it was made of.
    const made = variable.dynamic === undefined ? undefined : shell.variables.valueOf(variable);
    variable.dynamic = undefined;
    if (typeof made === "object") variable.value = made;
    return false;
  }
  return true;
}

function readDynamic(shell: Shell, kind: string): VariableValue {
  switch (kind) {
    case "LINENO":
      return String(shell.line);
    case "RANDOM":
      return String(nextRandom(shell));
    case "SRANDOM":
      return String(Math.floor(Math.random() * 4294967296));
    case "BASH_SUBSHELL":
      return String(shell.subshellDepth);
    case "BASH_COMMAND":
      return showCommand(shell);
    case "BASH_ARGV0":
      return shell.name;
    case "BASHOPTS":
      return shoptNames
        .filter((name) => shell.options.has(name))
        .toSorted()
        .join(":");
    case "SHELLOPTS":
      return setOptions
        .map((row) => row[1])
        .filter((name) => shell.options.has(name))
        .toSorted()
        .join(":");
    case "COMP_WORDBREAKS":
      return " \t\n\"'><=;|&(:";
    case "HISTCMD":
      return "1";
    case "_":
      return shell.lastArgument;
    case "BASH_ALIASES":
      return new AssociativeArray(shell.aliases);
    case "BASH_CMDS":
      return new AssociativeArray(shell.hash);
    case "SECONDS":
    case "EPOCHSECONDS":
    case "EPOCHREALTIME":
    case "BASHPID":
      return shell.asked.get(kind);
    default:
      return readDynamicArray(shell, kind);
  }
}

function readDynamicArray(shell: Shell, kind: string): VariableValue {
  const { frames } = shell;
  const isScript = shell.startLetters === "";
  switch (kind) {
    case "PIPESTATUS":
      return listOf(shell.pipeStatus.map(String));
    case "FUNCNAME":
      if (!shell.isInFunction) return undefined;
      return listOf([
        ...frames.map((frame) => (frame.kind === "source" ? "source" : frame.name)).toReversed(),
        ...(isScript ? ["main"] : []),
      ]);
    case "BASH_LINENO":
      return listOf([
        ...frames.map((frame) => String(frame.callLine)).toReversed(),
        ...(isScript ? ["0"] : []),
      ]);
    case "BASH_SOURCE":
      return listOf([
        ...frames.map((frame) => frame.file).toReversed(),
        ...(isScript ? [shell.name] : []),
      ]);
    case "BASH_ARGC":
    case "BASH_ARGV":
      return readArguments(shell, kind);
    case "DIRSTACK":
      return listOf([shell.variables.get("PWD") ?? "", ...shell.directoryStack]);
    case "GROUPS":
      return listOf((shell.asked.get("GROUPS") ?? "").split(" ").filter((group) => group !== ""));
    default:
      return undefined;
  }
}

/** The arguments of calls under `extdebug`, the last first; without it those of the shell. */
function readArguments(shell: Shell, kind: "BASH_ARGC" | "BASH_ARGV"): VariableValue {
  const calls = shell.options.has("extdebug")
    ? shell.frames.map((frame) => frame.args ?? []).toReversed()
    : [];
  const all = [...calls, shell.startPositional];
  return kind === "BASH_ARGC"
    ? listOf(all.map((args) => String(args.length)))
    : listOf(all.flatMap((args) => args.toReversed()));
}

function listOf(values: readonly string[]): IndexedArray {
  return new IndexedArray(values.map((value, at) => [at, value] as const));
}

/** Park and Miller's generator, as bash has it: a seed gives the numbers it gives there. */
function nextRandom(shell: Shell): number {
  if (shell.random?.depth !== shell.subshellDepth)
    shell.random = {
      seed: Math.floor(Math.random() * 0x7fffffff),
      last: 0,
      depth: shell.subshellDepth,
    };
  const { random } = shell;
  for (;;) {
    const from = random.seed === 0 ? 123459876 : random.seed;
    const high = Math.floor(from / 127773);
    const next = (16807 * (from - 127773 * high) - 2836 * high) | 0;
    random.seed = (next < 0 ? next + 0x7fffffff : next) >>> 0;
    const made = ((random.seed >>> 16) ^ (random.seed & 0xffff)) & 0x7fff;
    if (made === random.last) continue;
    random.last = made;
    return made;
  }
}

const fromKernel = /SECONDS|EPOCH|BASHPID|GROUPS/;

/** Whether `text`, a name or arithmetic, may read what only the kernel knows. */
export function asksKernel(text: string): boolean {
  return fromKernel.test(text);
}

/** Asks the kernel for what `text` may read, a name or arithmetic. Cheap when it reads nothing such. */
export async function askKernel(shell: Shell, text: string): Promise<void> {
  if (!asksKernel(text)) return;
  const { nowMs } = await shell.sys.clock();
  shell.clockMs = nowMs;
  const seconds = shell.secondsBase + Math.floor((nowMs - shell.startedMs) / 1000);
  shell.asked.set("SECONDS", String(seconds));
  shell.asked.set("EPOCHSECONDS", String(Math.floor(nowMs / 1000)));
  shell.asked.set("EPOCHREALTIME", (nowMs / 1000).toFixed(6));
  if (text.includes("BASHPID")) shell.asked.set("BASHPID", String(await shell.sys.getpid()));
  if (!text.includes("GROUPS")) return;
  const { egid, groups } = await shell.sys.getcredentials();
  shell.asked.set("GROUPS", [...new Set([egid, ...groups])].join(" "));
}

/** The command that runs, or that was running when a trap came. */
export function showCommand({ command = "" }: Shell): string {
  return typeof command === "string" ? command : printCommand(command);
}
