import {
  encodeText,
  findSignalNumber,
  isKernelError,
  type Program,
  type Sys,
  signals,
} from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import { errorWords } from "./program.ts";
import { listSignals, signalNames } from "./signal-list.ts";

const usage = `Usage:
 kill [options] <pid> [...]

Options:
 <pid> [...]            send signal to every <pid> listed
 -<signal>, -s, --signal <signal>
                        specify the <signal> to be sent
 -q, --queue <value>    integer value to be sent with the signal
 -l, --list=[<signal>]  list all signal names, or convert one to a name
 -L, --table            list all signal names in a nice table

 -h, --help     display this help and exit
 -V, --version  output version information and exit

For more details see kill(1).
`;

/** `-TERM` and `-9` are no options as others have them, so the words are read here. */
export const main: Program = async (sys, argv) => {
  const [self = "kill", ...words] = argv;
  let signal: number | undefined = signals.SIGTERM;
  for (let word = words[0]; word !== undefined && /^-./.test(word); word = words[0]) {
    words.shift();
    if (word === "--") break;
    if (word === "-h" || word === "--help") return say(sys, 1, usage, 0);
    if (word === "-V" || word === "--version") return say(sys, 1, "kill (agentOS MCP) 0.1.0\n", 0);
    if (word === "-L" || word === "--table") return say(sys, 1, table(), 0);
    if (word === "-l" || word === "--list" || word.startsWith("--list=")) {
      const asked = word.startsWith("--list=") ? word.slice(7) : words[0];
      return list(sys, self, asked);
    }
    const isNamed = word === "-s" || word === "--signal";
    const text = isNamed
      ? (words.shift() ?? "")
      : word.startsWith("--signal=")
        ? word.slice(9)
        : word.slice(1);
    signal = findSignalNumber(text);
    if (signal === undefined)
      return say(sys, 2, `${self}: invalid argument ${text.charAt(0)}\n\n${usage}`, 1);
  }
  if (words.length === 0) return say(sys, 2, `\n${usage}`, 1);
  let status = 0;
  for (const word of words) if (!(await send(sys, self, word, signal))) status = 1;
  return status;
};

async function send(sys: Sys, self: string, word: string, signal: number): Promise<boolean> {
  if (!/^-?\d+$/.test(word)) {
    await say(sys, 2, `${self}: failed to parse argument: '${word}'\n`, 1);
    return false;
  }
  try {
    await sys.kill(Number(word), signal);
    return true;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await say(sys, 2, `${self}: (${word}): ${errorWords(error)}\n`, 1);
    return false;
  }
}

async function list(sys: Sys, self: string, asked: string | undefined): Promise<number> {
  if (asked === undefined) return say(sys, 1, listSignals(), 0);
  const isNumber = /^\d+$/.test(asked);
  const found = isNumber ? signalNames()[Number(asked) - 1] : findSignalNumber(asked);
  if (found === undefined) return say(sys, 2, `${self}: unknown signal name ${asked}\n`, 0);
  return say(sys, 1, `${found}\n`, 0);
}

const TABLE_COLUMNS = 7;

function table(): string {
  const cells = signalNames().map((name, at) => {
    const cell = `${String(at + 1).padStart(2)} ${name}`;
    return (at + 1) % TABLE_COLUMNS === 0 ? `${cell}\n` : `${cell.padEnd(10)} `;
  });
  return `${cells.join("")}\n`;
}

async function say(sys: Sys, fd: number, text: string, status: number): Promise<number> {
  await writeAll(sys, fd, encodeText(text));
  return status;
}
