import {
  encodeText,
  findSignalName,
  findSignalNumber,
  isKernelError,
  LAST_SIGNAL,
  type Program,
  type Sys,
  signals,
} from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import { errorWords } from "./program.ts";

const usage = `Usage:
 kill [options] <pid> [...]

Options:
 <pid> [...]            send signal to every <pid> listed
 -<signal>, -s, --signal <signal>
                        specify the <signal> to be sent
 -l, --list=[<signal>]  list all signal names, or convert one to a name
 -L, --table            list all signal names in a nice table

 -h, --help     display this help and exit
 -V, --version  output version information and exit
`;

/** `-TERM` and `-9` are no options as others have them, so the words are read here. */
export const main: Program = async (sys, argv) => {
  const words = [...argv.slice(1)];
  let signal: number | undefined = signals.SIGTERM;
  for (let word = words[0]; word !== undefined && /^-./.test(word); word = words[0]) {
    words.shift();
    if (word === "--") break;
    if (word === "-h" || word === "--help") return say(sys, 1, usage, 0);
    if (word === "-V" || word === "--version") return say(sys, 1, "kill (agentOS MCP) 0.1.0\n", 0);
    if (word === "-L" || word === "--table") return say(sys, 1, table(), 0);
    if (word === "-l" || word === "--list" || word.startsWith("--list=")) {
      const asked = word.startsWith("--list=") ? word.slice(7) : words[0];
      return list(sys, asked);
    }
    const isNamed = word === "-s" || word === "--signal";
    const text = isNamed
      ? (words.shift() ?? "")
      : word.startsWith("--signal=")
        ? word.slice(9)
        : word.slice(1);
    signal = findSignalNumber(text);
    if (signal === undefined)
      return say(sys, 2, `kill: unknown signal ${text}; valid signals: ${names().join(" ")}\n`, 1);
  }
  if (words.length === 0) return say(sys, 2, usage, 1);
  let status = 0;
  for (const word of words) if (!(await send(sys, word, signal))) status = 1;
  return status;
};

async function send(sys: Sys, word: string, signal: number): Promise<boolean> {
  if (!/^-?\d+$/.test(word)) {
    await say(sys, 2, `kill: failed to parse argument: '${word}'\n`, 1);
    return false;
  }
  try {
    await sys.kill(Number(word), signal);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await say(sys, 2, `kill: sending signal to ${word} failed: ${errorWords(error)}\n`, 1);
    return false;
  }
}

async function list(sys: Sys, asked: string | undefined): Promise<number> {
  if (asked === undefined) return say(sys, 1, `${names().join(" ")}\n`, 0);
  const number = /^\d+$/.test(asked) ? Number(asked) & 127 : findSignalNumber(asked);
  const name = number === undefined ? undefined : findSignalName(number);
  if (number === undefined || name === undefined)
    return say(sys, 2, `kill: unknown signal name ${asked}\n`, 1);
  return say(sys, 1, `${/^\d+$/.test(asked) ? name.slice(3) : number}\n`, 0);
}

function names(): string[] {
  return Array.from({ length: LAST_SIGNAL }, (_, at) => findSignalName(at + 1)?.slice(3) ?? "");
}

function table(): string {
  const cells = names().map((name, at) => `${String(at + 1).padStart(2)} ${name.padEnd(10)}`);
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += 7)
    rows.push(
      cells
        .slice(at, at + 7)
        .join("")
        .trimEnd(),
    );
  return `${rows.join("\n")}\n`;
}

async function say(sys: Sys, fd: number, text: string, status: number): Promise<number> {
  await writeAll(sys, fd, encodeText(text));
  return status;
}
