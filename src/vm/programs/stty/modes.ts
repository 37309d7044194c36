/** stty's settings: their names, where they are kept, and what `stty sane` makes of them. */
import type { Termios } from "../../../kernel/index.ts";

type FlagWord = "iflag" | "oflag" | "lflag";
export type ModeGroup = "control" | "input" | "output" | "local";

/** A flag, or one of several values of a field (`cs8`). */
export interface Mode {
  readonly name: string;
  readonly group: ModeGroup;
  /** Its bit in Linux's struct termios, for `stty -g`. */
  readonly bits: number;
  /** The bits of the field it is a value of. */
  readonly mask?: number;
  readonly sane?: "on" | "off";
  /** Where the kernel keeps it; the others are kept by name. */
  readonly flag?: readonly [FlagWord, string];
  /** Its value at the start, where the kernel does not keep it. */
  readonly isOn?: boolean;
}

type Row = readonly [
  name: string,
  bits: number,
  sane?: "on" | "off" | undefined,
  flag?: readonly [FlagWord, string] | undefined,
  isOn?: boolean,
];

function group(name: ModeGroup, rows: readonly Row[]): Mode[] {
  return rows.map(([mode, bits, sane, flag, isOn = false]) => ({
    name: mode,
    group: name,
    bits,
    isOn,
    ...(sane === undefined ? {} : { sane }),
    ...(flag === undefined ? {} : { flag }),
  }));
}

/** In the order `stty -a` shows them; bits from termbits.h. */
export const modes: readonly Mode[] = [
  ...group("control", [
    ["parenb", 0o400],
    ["parodd", 0o1000],
    ["cmspar", 0o10_000_000_000],
  ]),
  { name: "cs5", group: "control", bits: 0, mask: 0o60 },
  { name: "cs6", group: "control", bits: 0o20, mask: 0o60 },
  { name: "cs7", group: "control", bits: 0o40, mask: 0o60 },
  { name: "cs8", group: "control", bits: 0o60, mask: 0o60, isOn: true },
  ...group("control", [
    ["hupcl", 0o2000],
    ["cstopb", 0o100],
    ["cread", 0o200, "on", undefined, true],
    ["clocal", 0o4000],
    ["crtscts", 0o20_000_000_000],
  ]),
  ...group("input", [
    ["ignbrk", 1, "off"],
    ["brkint", 2, "on"],
    ["ignpar", 4],
    ["parmrk", 0o10],
    ["inpck", 0o20],
    ["istrip", 0o40, undefined, ["iflag", "ISTRIP"]],
    ["inlcr", 0o100, "off", ["iflag", "INLCR"]],
    ["igncr", 0o200, "off", ["iflag", "IGNCR"]],
    ["icrnl", 0o400, "on", ["iflag", "ICRNL"]],
    ["ixon", 0o2000, undefined, ["iflag", "IXON"]],
    ["ixoff", 0o10_000, "off"],
    ["iuclc", 0o1000, "off"],
    ["ixany", 0o4000, "off"],
    ["imaxbel", 0o20_000, "on"],
    ["iutf8", 0o40_000, "off", undefined, true],
  ]),
  ...group("output", [
    ["opost", 1, "on", ["oflag", "OPOST"]],
    ["olcuc", 2, "off"],
    ["ocrnl", 0o10, "off"],
    ["onlcr", 4, "on", ["oflag", "ONLCR"]],
    ["onocr", 0o20, "off"],
    ["onlret", 0o40, "off"],
    ["ofill", 0o100, "off"],
    ["ofdel", 0o200, "off"],
  ]),
  ...field("nl", 0o400, 2),
  ...field("cr", 0o1000, 4),
  ...field("tab", 0o4000, 4),
  ...field("bs", 0o20_000, 2),
  ...field("vt", 0o40_000, 2),
  ...field("ff", 0o100_000, 2),
  ...group("local", [
    ["isig", 1, "on", ["lflag", "ISIG"]],
    ["icanon", 2, "on", ["lflag", "ICANON"]],
    ["iexten", 0o100_000, "on", ["lflag", "IEXTEN"]],
    ["echo", 0o10, "on", ["lflag", "ECHO"]],
    ["echoe", 0o20, "on", ["lflag", "ECHOE"]],
    ["echok", 0o40, "on", ["lflag", "ECHOK"]],
    ["echonl", 0o100, "off", ["lflag", "ECHONL"]],
    ["noflsh", 0o200, "off", ["lflag", "NOFLSH"]],
    ["xcase", 4, "off"],
    ["tostop", 0o400, "off", ["lflag", "TOSTOP"]],
    ["echoprt", 0o2000, "off"],
    ["echoctl", 0o1000, "on", ["lflag", "ECHOCTL"]],
    ["echoke", 0o4000, "on", undefined, true],
    ["flusho", 0o10_000, "off"],
    ["extproc", 0o200_000, "off"],
  ]),
];

/** A field of the output's delays: `nl0`, `nl1`. */
function field(name: string, unit: number, count: number): Mode[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `${name}${at}`,
    group: "output",
    bits: at * unit,
    mask: (count - 1) * unit,
    isOn: at === 0,
    ...(at === 0 ? { sane: "on" } : {}),
  }));
}

/** Other names of flags. */
export const aliases: ReadonlyMap<string, string> = new Map([
  ["hup", "hupcl"],
  ["tandem", "ixoff"],
  ["crterase", "echoe"],
  ["crtkill", "echoke"],
  ["ctlecho", "echoctl"],
  ["prterase", "echoprt"],
]);

export interface ControlCharacter {
  readonly name: string;
  /** Its index in c_cc. */
  readonly index: number;
  readonly sane: number;
  readonly key?: keyof Termios["cc"];
}

/** In the order they are shown. */
export const controlCharacters: readonly ControlCharacter[] = [
  { name: "intr", index: 0, sane: 3, key: "VINTR" },
  { name: "quit", index: 1, sane: 28, key: "VQUIT" },
  { name: "erase", index: 2, sane: 127, key: "VERASE" },
  { name: "kill", index: 3, sane: 21, key: "VKILL" },
  { name: "eof", index: 4, sane: 4, key: "VEOF" },
  { name: "eol", index: 11, sane: 0, key: "VEOL" },
  { name: "eol2", index: 16, sane: 0 },
  { name: "swtch", index: 7, sane: 0 },
  { name: "start", index: 8, sane: 17, key: "VSTART" },
  { name: "stop", index: 9, sane: 19, key: "VSTOP" },
  { name: "susp", index: 10, sane: 26, key: "VSUSP" },
  { name: "rprnt", index: 12, sane: 18, key: "VREPRINT" },
  { name: "werase", index: 14, sane: 23, key: "VWERASE" },
  { name: "lnext", index: 15, sane: 22, key: "VLNEXT" },
  { name: "discard", index: 13, sane: 15 },
];

export function isModeOn(termios: Termios, mode: Mode): boolean {
  if (mode.flag !== undefined) {
    const [word, key] = mode.flag;
    return new Map<string, boolean>(Object.entries(termios[word])).get(key) === true;
  }
  const kept = termios.others?.get(mode.name);
  return kept === undefined ? mode.isOn === true : kept !== 0;
}

/** The settings with one mode on or off; a value of a field takes the others' place. */
export function withMode(termios: Termios, mode: Mode, isOn: boolean): Termios {
  if (mode.flag !== undefined) {
    const [word, key] = mode.flag;
    return { ...termios, [word]: { ...termios[word], [key]: isOn } };
  }
  const others = new Map(termios.others);
  if (mode.mask !== undefined)
    for (const one of modes)
      if (one.mask === mode.mask && one.group === mode.group) others.set(one.name, 0);
  others.set(mode.name, isOn ? 1 : 0);
  return { ...termios, others };
}

export function characterOf(termios: Termios, { key, name, sane }: ControlCharacter): number {
  return key === undefined ? (termios.others?.get(name) ?? sane) : termios.cc[key];
}

export function withCharacter(
  termios: Termios,
  { key, name }: ControlCharacter,
  byte: number,
): Termios {
  return key === undefined
    ? { ...termios, others: new Map([...(termios.others ?? []), [name, byte]]) }
    : { ...termios, cc: { ...termios.cc, [key]: byte } };
}

/** What `stty sane` makes of the settings. */
export function saneTermios(termios: Termios): Termios {
  let sane = termios;
  for (const mode of modes)
    if (mode.sane !== undefined) sane = withMode(sane, mode, mode.sane === "on");
  for (const character of controlCharacters) sane = withCharacter(sane, character, character.sane);
  return { ...sane, cc: { ...sane.cc, VMIN: 1, VTIME: 0 } };
}
