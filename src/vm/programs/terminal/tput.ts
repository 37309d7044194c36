/** `tput`: what to send a terminal for a capability, or what it can do. */
import { decodeText, encodeText, type Program, type Sys } from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";
import { readAllBytes } from "../read-all.ts";
import { capabilityKind, findTerminal, type TerminalDescription } from "./capabilities.ts";
import { fillParameters } from "./fill-parameters.ts";
import { findTerminalSize } from "./terminal-size.ts";

/** Statuses of tput(1). */
const ABSENT = 1;
const USAGE = 2;
const UNKNOWN_TERMINAL = 3;
const UNKNOWN_CAPABILITY = 4;

const usage = `Usage: tput [options] [command]

Options:
  -S <<       read commands from standard input
  -T TERM     use this instead of $TERM
  -V          print curses-version
  -x          do not try to clear scrollback

Commands:
  clear       clear the screen
  init        initialize the terminal
  reset       reinitialize the terminal
  capname     unlike clear/init/reset, print value for capability "capname"
`;

interface Wish {
  readonly sys: Sys;
  readonly terminal: TerminalDescription;
  readonly keepsScrollback: boolean;
}

// tput has neither GNU's long options nor its messages, so it reads its words itself.
export const main: Program = async (sys, argv) => {
  const options = {
    term: (await sys.environ()).get("TERM"),
    keepsScrollback: false,
    isList: false,
  };
  let at = 1;
  for (; at < argv.length && /^-./.test(argv[at] ?? ""); at++) {
    const word = argv[at] ?? "";
    if (word === "-V" || word === "--version") {
      await write(sys, 1, "ncurses 6.4.20221231\n");
      return 0;
    }
    if (word === "--help") {
      await write(sys, 1, usage);
      return 0;
    }
    if (word === "-S") options.isList = true;
    else if (word === "-x") options.keepsScrollback = true;
    else if (word.startsWith("-T"))
      options.term = word.length > 2 ? word.slice(2) : argv[(at += 1)];
    else return refuse(sys, `tput: invalid option -- '${word.charAt(1)}'\n`);
  }
  return start(sys, argv.slice(at), options);
};

async function refuse(sys: Sys, message: string): Promise<number> {
  await write(sys, 2, `${message}${usage}`);
  return USAGE;
}

async function start(
  sys: Sys,
  words: readonly string[],
  options: {
    readonly term: string | undefined;
    readonly keepsScrollback: boolean;
    readonly isList: boolean;
  },
): Promise<number> {
  const { term, keepsScrollback } = options;
  if (term === undefined || term === "") {
    await write(sys, 2, "tput: No value for $TERM and no -T specified\n");
    return USAGE;
  }
  const terminal = findTerminal(term);
  if (terminal === undefined) {
    await write(sys, 2, `tput: unknown terminal "${term}"\n`);
    return UNKNOWN_TERMINAL;
  }
  if (!options.isList && words.length === 0) return refuse(sys, "");
  const wish = { sys, terminal, keepsScrollback };
  if (!options.isList) return show(wish, words);
  const lines = decodeText(await readAllBytes(sys, 0)).split("\n");
  let failures = 0;
  for (const line of lines.filter((one) => one.trim() !== ""))
    if ((await show(wish, line.trim().split(/\s+/))) !== 0) failures += 1;
  return failures === 0 ? 0 : UNKNOWN_CAPABILITY;
}

/** Writes what one capability is worth; answers tput's status. */
async function show(wish: Wish, [name = "", ...parameters]: readonly string[]): Promise<number> {
  const { sys, terminal } = wish;
  if (name === "clear") return clear(wish);
  if (name === "reset" || name === "init") return reset(wish);
  if (name === "longname") {
    await write(sys, 1, terminal.longName);
    return 0;
  }
  switch (capabilityKind(name)) {
    case "flag":
      return terminal.flags.has(name) ? 0 : ABSENT;
    case "number":
      await write(sys, 1, `${await numberOf(wish, name)}\n`);
      return 0;
    case "string": {
      const text = terminal.strings.get(name);
      if (text === undefined) return ABSENT;
      const values = parameters.map((one) => (/^-?\d+$/.test(one) ? Number(one) : one));
      await write(sys, 1, values.length === 0 ? text : fillParameters(text, values));
      return 0;
    }
    default:
      await write(sys, 2, `tput: unknown terminfo capability '${name}'\n`);
      return UNKNOWN_CAPABILITY;
  }
}

/** The size is the window's, or LINES and COLUMNS, before it is the terminal's usual one. */
async function numberOf({ sys, terminal }: Wish, name: string): Promise<number> {
  if (name === "lines" || name === "cols") {
    const set = (await sys.environ()).get(name === "lines" ? "LINES" : "COLUMNS") ?? "";
    if (/^[1-9]\d*$/.test(set)) return Number(set);
    const size = await findTerminalSize(sys);
    const measured = name === "lines" ? size?.rows : size?.cols;
    if (measured !== undefined && measured > 0) return measured;
    return terminal.numbers.get(name) ?? (name === "lines" ? 24 : 80);
  }
  return terminal.numbers.get(name) ?? -1;
}

/** Status 2 where the terminal cannot be cleared. */
export async function clear({ sys, terminal, keepsScrollback }: Wish): Promise<number> {
  const text = terminal.strings.get("clear");
  if (text === undefined) return USAGE;
  const scrollback = keepsScrollback ? "" : (terminal.strings.get("E3") ?? "\u001b[3J");
  await write(sys, 1, `${text}${scrollback}`);
  return 0;
}

async function reset({ sys, terminal }: Wish): Promise<number> {
  const text = terminal.strings.get("rs1") ?? terminal.strings.get("is2") ?? "";
  await write(sys, 1, text);
  return 0;
}

async function write(sys: Sys, fd: number, text: string): Promise<void> {
  await writeAll(sys, fd, encodeText(text));
}
