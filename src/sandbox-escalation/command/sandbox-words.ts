// The words of the `sandbox` command: its help, and how they are read.
import { findSignalName, findSignalNumber } from "../../kernel/index.ts";
import { HostCommandError, nearest } from "../../toolkit-cli/index.ts";

export const verbs = [
  "exec",
  "start",
  "status",
  "stop",
  "ps",
  "logs",
  "kill",
  "cp",
  "connect",
  "snapshot",
  "help",
] as const;
export type Verb = (typeof verbs)[number];

export const help = `usage: sandbox <command>
A full Linux machine beside this VM. /sandbox here is /workspace there.
  exec [options] [--] COMMAND [ARG...]  run a command there, as a stage of any pipeline
      -e NAME=VALUE, -e NAME   a variable (of this shell)   -C DIRECTORY   where (default: here, below /sandbox)
      -d  detached: prints its id   -n  without stdin   -T  without a terminal   --reason TEXT   why
      --provider NAME   whose, of those that sandbox status names
  start [--reason TEXT] [--provider NAME]   start it without a command
  status [--json]              what there is, who offers it, limits, use, the last decisions
  stop                         end its processes; files stay
  ps                           processes started from here
  logs [-f] ID                 output of a detached process
  kill [-SIGNAL] ID            signal a process and all it started
  cp FROM... TO                copy inside the sandbox, directories too; paths below /sandbox are /workspace there
  connect PORT                 stdin and stdout are a connection to a server there; for programs of this VM:
                               tcpserver 127.0.0.1 PORT sandbox connect PORT &
  snapshot NAME                keep its state, where the provider can
`;

/** As `bash` for a misuse of its builtins. */
const USAGE_STATUS = 2;

export function misuse(problem: string): HostCommandError {
  return new HostCommandError(USAGE_STATUS, `${problem}; see: sandbox help`);
}

/** HostCommandError. */
export function readVerb(word: string | undefined): Verb {
  if (word === undefined) throw misuse("a command is missing");
  if (word === "--help" || word === "-h") return "help";
  const found = verbs.find((verb) => verb === word);
  if (found !== undefined) return found;
  const close = nearest(word, verbs);
  throw misuse(
    `there is no command "${word.slice(0, 40)}"${close === undefined ? "" : ` (did you mean ${close}?)`}`,
  );
}

export interface Words {
  /** By name; a switch is "". The last of several counts, but for `-e`. */
  readonly options: ReadonlyMap<string, string>;
  readonly variables: readonly string[];
  readonly operands: readonly string[];
}

/** Which options a command has: whether each takes a value. Options end with the first operand, or with `--`. */
export function readWords(
  words: readonly string[],
  known: Readonly<Record<string, boolean>>,
): Words {
  const options = new Map<string, string>();
  const variables: string[] = [];
  const takesValue = new Map(Object.entries(known));
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { options, variables, operands: words.slice(at + 1) };
    if (!word.startsWith("-") || word === "-") break;
    const [name = "", ...rest] = word.startsWith("--") ? word.split("=") : [word];
    const isValued = takesValue.get(name);
    if (isValued === undefined) throw misuse(`there is no option ${name.slice(0, 40)} here`);
    if (!isValued && rest.length > 0) throw misuse(`${name} takes no value`);
    const value = !isValued ? "" : rest.length > 0 ? rest.join("=") : words[++at];
    if (value === undefined) throw misuse(`${name} needs a value`);
    if (name === "-e") variables.push(value);
    else options.set(name, value);
  }
  return { options, variables, operands: words.slice(at) };
}

/** `-9`, `-KILL` and `-SIGKILL` all mean SIGKILL. */
export function readSignal(word: string): string {
  const number = findSignalNumber(word.replace(/^-+/, ""));
  const name = number === undefined || number === 0 ? undefined : findSignalName(number);
  if (name === undefined) throw misuse(`there is no signal ${word.slice(0, 40)}`);
  return name;
}
