/** What the words of an stty command line make of a terminal's settings. */
import type { Termios, WindowSize } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import {
  aliases,
  controlCharacters,
  modes,
  saneTermios,
  withCharacter,
  withMode,
} from "./modes.ts";
import { speedOf, speeds } from "./show-settings.ts";

export interface Settings {
  termios: Termios;
  size: WindowSize;
  /** What `size` and `speed` print. */
  shown: string;
  /** Words are only tried: sizes and speeds are looked at later. */
  readonly isTrial?: boolean;
}

/** Combinations: the modes they switch, a dash before those switched off. */
const combinations: ReadonlyMap<string, string> = new Map([
  ["evenp", "parenb -parodd cs7"],
  ["parity", "parenb -parodd cs7"],
  ["oddp", "parenb parodd cs7"],
  ["-evenp", "-parenb cs8"],
  ["-parity", "-parenb cs8"],
  ["-oddp", "-parenb cs8"],
  ["nl", "-icrnl -onlcr"],
  ["-nl", "icrnl -inlcr -igncr onlcr -ocrnl -onlret"],
  ["cbreak", "-icanon"],
  ["-cbreak", "icanon"],
  ["pass8", "-parenb -istrip cs8"],
  ["-pass8", "parenb istrip cs7"],
  ["litout", "-parenb -istrip -opost cs8"],
  ["-litout", "parenb istrip opost cs7"],
  ["cooked", "brkint ignpar istrip icrnl ixon opost isig icanon"],
  ["-raw", "brkint ignpar istrip icrnl ixon opost isig icanon"],
  [
    "raw",
    "-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr -icrnl -ixon -ixoff -icanon -opost -isig -iuclc -ixany -imaxbel -xcase",
  ],
  [
    "-cooked",
    "-ignbrk -brkint -ignpar -parmrk -inpck -istrip -inlcr -igncr -icrnl -ixon -ixoff -icanon -opost -isig -iuclc -ixany -imaxbel -xcase",
  ],
  ["decctlq", "-ixany"],
  ["-decctlq", "ixany"],
  ["tabs", "tab0"],
  ["-tabs", "tab3"],
  ["lcase", "xcase iuclc olcuc"],
  ["LCASE", "xcase iuclc olcuc"],
  ["-lcase", "-xcase -iuclc -olcuc"],
  ["-LCASE", "-xcase -iuclc -olcuc"],
  ["crt", "echoe echoctl echoke"],
  ["dec", "echoe echoctl echoke -ixany"],
]);

const numbered = new Set(["rows", "cols", "columns", "min", "time", "line", "ispeed", "ospeed"]);

/** Fails with a UsageError for a word stty does not know. */
export function applyWords(settings: Settings, words: readonly string[]): void {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const character = controlCharacters.find(({ name }) => name === word);
    if (character === undefined && !numbered.has(word)) {
      applyWord(settings, word);
      continue;
    }
    at += 1;
    const value = words[at];
    if (value === undefined) throw new UsageError(`missing argument to '${word}'`);
    if (character === undefined) applyNumber(settings, word, value);
    else settings.termios = withCharacter(settings.termios, character, readByte(value));
  }
}

function applyWord(settings: Settings, word: string): void {
  const { termios, size } = settings;
  if (word === "drain" || word === "-drain") return;
  if (word === "size") {
    settings.shown += `${size.rows} ${size.cols}\n`;
  } else if (word === "speed") {
    settings.shown += `${speedOf(termios)}\n`;
  } else if (word === "sane") {
    settings.termios = saneTermios(termios);
  } else if (word === "ek") {
    settings.termios = { ...termios, cc: { ...termios.cc, VERASE: 127, VKILL: 21 } };
  } else if (combinations.has(word)) {
    for (const part of (combinations.get(word) ?? "").split(" ")) setMode(settings, part);
    finishCombination(settings, word);
  } else if (/^[0-9a-f]+(?::[0-9a-f]+){35}$/i.test(word)) {
    settings.termios = readNumbers(termios, word);
  } else if (speeds.has(Number(word)) && word !== "") {
    settings.termios = withOther(termios, "speed", Number(word));
  } else if (!setMode(settings, word)) {
    throw new UsageError(`invalid argument '${word}'`);
  }
}

/** What a combination does beside its modes. */
function finishCombination(settings: Settings, word: string): void {
  const { termios } = settings;
  const { cc } = termios;
  if (word === "raw" || word === "-cooked")
    settings.termios = { ...termios, cc: { ...cc, VMIN: 1, VTIME: 0 } };
  if (word === "dec") {
    const characters = { VINTR: 3, VERASE: 127, VKILL: 21 };
    settings.termios = { ...termios, cc: { ...cc, ...characters } };
  }
}

function setMode(settings: Settings, word: string): boolean {
  const isOff = word.startsWith("-");
  const name = isOff ? word.slice(1) : word;
  const mode = modes.find((one) => one.name === (aliases.get(name) ?? name));
  if (mode === undefined || (isOff && mode.mask !== undefined)) return false;
  settings.termios = withMode(settings.termios, mode, !isOff);
  return true;
}

function applyNumber(settings: Settings, word: string, text: string): void {
  const { termios, size } = settings;
  if (settings.isTrial === true && word !== "min" && word !== "time" && word !== "line") return;
  const value = readInteger(text);
  if (value === undefined)
    throw new UsageError(`invalid integer argument: '${text}'`, { hasHint: false });
  if (word === "rows") settings.size = { ...size, rows: value };
  else if (word === "cols" || word === "columns") settings.size = { ...size, cols: value };
  else if (word === "min")
    settings.termios = { ...termios, cc: { ...termios.cc, VMIN: value & 255 } };
  else if (word === "time")
    settings.termios = { ...termios, cc: { ...termios.cc, VTIME: value & 255 } };
  else if (word === "line") settings.termios = withOther(termios, "line", value);
  else if (speeds.has(value)) settings.termios = withOther(termios, "speed", value);
  else throw new UsageError(`invalid ${word} '${text}'`);
}

function withOther(termios: Termios, name: string, value: number): Termios {
  return { ...termios, others: new Map([...(termios.others ?? []), [name, value]]) };
}

/** Decimal, octal with 0, hexadecimal with 0x. */
function readInteger(text: string): number | undefined {
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^(?:\d+|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : undefined;
}

/** `^C`, `^?`, `undef`, `^-`, a character, or a number. */
function readByte(text: string): number {
  if (text === "undef" || text === "^-" || text === "") return 0;
  if (text.length === 1) return text.charCodeAt(0) & 255;
  if (text === "^?") return 127;
  if (/^\^./.test(text)) return text.toUpperCase().charCodeAt(1) & 31;
  const number = readInteger(text);
  if (number === undefined || number > 255)
    throw new UsageError(`invalid integer argument: '${text}'`, { hasHint: false });
  return number;
}

/** Takes back what `stty -g` has printed. */
function readNumbers(termios: Termios, text: string): Termios {
  const numbers = text.split(":").map((number) => Number.parseInt(number, 16));
  const words = new Map([
    ["input", numbers[0] ?? 0],
    ["output", numbers[1] ?? 0],
    ["control", numbers[2] ?? 0],
    ["local", numbers[3] ?? 0],
  ]);
  let read = termios;
  for (const mode of modes) {
    const word = BigInt(words.get(mode.group) ?? 0);
    const isOn = (word & BigInt(mode.mask ?? mode.bits)) === BigInt(mode.bits);
    if (mode.mask === undefined || isOn) read = withMode(read, mode, isOn);
  }
  const bytes = numbers.slice(4);
  for (const one of controlCharacters)
    read = withCharacter(read, one, (bytes[one.index] ?? 0) & 255);
  const speed = [...speeds].find(([, bits]) => bits === ((words.get("control") ?? 0) & 0o10_017));
  read = withOther(read, "speed", speed?.[0] ?? 38_400);
  return { ...read, cc: { ...read.cc, VTIME: (bytes[5] ?? 0) & 255, VMIN: (bytes[6] ?? 1) & 255 } };
}
