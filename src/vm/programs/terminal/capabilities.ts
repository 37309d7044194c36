/** What terminals can do: a small terminfo for the ones people have. */
import { flagNames, numberNames, stringNames } from "./capability-names.ts";
import { xtermFlags, xtermNumbers, xtermStrings } from "./xterm-capabilities.ts";

export interface TerminalDescription {
  readonly longName: string;
  readonly flags: ReadonlySet<string>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly strings: ReadonlyMap<string, string>;
}

const xterm: TerminalDescription = {
  longName: "xterm with 256 colors",
  flags: new Set(xtermFlags),
  numbers: xtermNumbers,
  strings: xtermStrings,
};

const dumb: TerminalDescription = {
  longName: "80-column dumb tty",
  flags: new Set(["am"]),
  numbers: new Map([["cols", 80]]),
  strings: new Map([
    ["bel", "\u0007"],
    ["cr", "\r"],
    ["cud1", "\n"],
    ["ind", "\n"],
  ]),
};

/** Eight colours by the codes every terminal knows. */
function withEightColors(longName: string): TerminalDescription {
  return {
    longName,
    flags: xterm.flags,
    numbers: new Map([...xtermNumbers, ["colors", 8], ["pairs", 64]]),
    strings: new Map([...xtermStrings, ["setaf", "\u001b[3%p1%dm"], ["setab", "\u001b[4%p1%dm"]]),
  };
}

function withoutColors(longName: string): TerminalDescription {
  const colors = new Set(["setaf", "setab", "setf", "setb", "op", "oc", "initc"]);
  return {
    longName,
    flags: xterm.flags,
    numbers: new Map([...xtermNumbers].filter(([name]) => name !== "colors" && name !== "pairs")),
    strings: new Map([...xtermStrings].filter(([name]) => !colors.has(name))),
  };
}

/** By TERM. The others speak xterm's language as far as it is told here. */
const terminals: ReadonlyMap<string, () => TerminalDescription> = new Map([
  ["dumb", () => dumb],
  ["unknown", () => dumb],
  ["xterm-256color", () => xterm],
  ["xterm", () => withEightColors("xterm terminal emulator (X Window System)")],
  ["xterm-color", () => withEightColors("generic color xterm")],
  ["screen", () => withEightColors("VT 100/ANSI X3.64 virtual terminal")],
  ["screen-256color", () => xterm],
  ["tmux", () => withEightColors("tmux terminal multiplexer")],
  ["tmux-256color", () => xterm],
  ["linux", () => withEightColors("Linux console")],
  ["ansi", () => withEightColors("ansi/pc-term compatible with color")],
  ["vt100", () => withoutColors("DEC VT100")],
  ["vt102", () => withoutColors("DEC VT102")],
  ["vt220", () => withoutColors("DEC VT220")],
]);

/** Undefined for a terminal nobody has described. */
export function findTerminal(name: string): TerminalDescription | undefined {
  return terminals.get(name)?.();
}

/** Whether there is a capability of that name, and of what kind it is. */
export function capabilityKind(name: string): "flag" | "number" | "string" | undefined {
  if (flagNames.has(name) || xterm.flags.has(name)) return "flag";
  if (numberNames.has(name) || xterm.numbers.has(name)) return "number";
  return stringNames.has(name) || xterm.strings.has(name) ? "string" : undefined;
}
