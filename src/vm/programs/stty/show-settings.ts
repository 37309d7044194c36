/** The ways stty shows a terminal's settings. */
import type { Termios, WindowSize } from "../../../kernel/index.ts";
import {
  characterOf,
  controlCharacters,
  isModeOn,
  type Mode,
  type ModeGroup,
  modes,
} from "./modes.ts";

/** The number of control characters in Linux's struct termios. */
const CHARACTERS = 32;
const VTIME_INDEX = 5;
const VMIN_INDEX = 6;
const groups: readonly ModeGroup[] = ["control", "input", "output", "local"];

/** Bits of the speeds, see termbits.h. */
export const speeds: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [50, 1],
  [75, 2],
  [110, 3],
  [134, 4],
  [150, 5],
  [200, 6],
  [300, 7],
  [600, 8],
  [1200, 9],
  [1800, 10],
  [2400, 11],
  [4800, 12],
  [9600, 13],
  [19_200, 14],
  [38_400, 15],
  [57_600, 0o10_001],
  [115_200, 0o10_002],
  [230_400, 0o10_003],
  [460_800, 0o10_004],
  [921_600, 0o10_007],
]);

export function speedOf(termios: Termios): number {
  return termios.others?.get("speed") ?? 38_400;
}

/** `stty -a`: everything, in lines of the terminal's width. */
export function showAll(termios: Termios, size: WindowSize, width: number): string {
  const head = [
    `speed ${speedOf(termios)} baud;`,
    `rows ${size.rows};`,
    `columns ${size.cols};`,
    `line = ${termios.others?.get("line") ?? 0};`,
  ];
  const characters = controlCharacters.map(
    (one) => `${one.name} = ${showByte(characterOf(termios, one))};`,
  );
  characters.push(`min = ${termios.cc.VMIN};`, `time = ${termios.cc.VTIME};`);
  const flags = groups.map((name) =>
    modes
      .filter((mode) => mode.group === name && (mode.mask === undefined || isModeOn(termios, mode)))
      .map((mode) => showMode(termios, mode)),
  );
  return [head, characters, ...flags].map((words) => wrap(words, width)).join("");
}

/** `stty`: what differs from `stty sane`. */
export function showChanged(termios: Termios, width: number): string {
  const head = [`speed ${speedOf(termios)} baud;`, `line = ${termios.others?.get("line") ?? 0};`];
  const characters = controlCharacters
    .filter((one) => characterOf(termios, one) !== one.sane)
    .map((one) => `${one.name} = ${showByte(characterOf(termios, one))};`);
  if (!termios.lflag.ICANON)
    characters.push(`min = ${termios.cc.VMIN};`, `time = ${termios.cc.VTIME};`);
  const flags = groups.map((name) =>
    modes
      .filter((mode) => mode.group === name && isChanged(termios, mode))
      .map((mode) => showMode(termios, mode)),
  );
  return [head, characters, ...flags].map((words) => wrap(words, width)).join("");
}

function isChanged(termios: Termios, mode: Mode): boolean {
  const isOn = isModeOn(termios, mode);
  if (mode.mask !== undefined) return isOn && mode.isOn !== true;
  return mode.sane !== undefined && isOn !== (mode.sane === "on");
}

function showMode(termios: Termios, mode: Mode): string {
  return isModeOn(termios, mode) ? mode.name : `-${mode.name}`;
}

function showByte(byte: number): string {
  if (byte === 0) return "<undef>";
  if (byte >= 128) return `M-${showByte(byte - 128)}`;
  if (byte === 127) return "^?";
  return byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte);
}

/** Words with blanks between, in lines shorter than the width; nothing for no words. */
function wrap(words: readonly string[], width: number): string {
  let text = "";
  let column = 0;
  for (const word of words) {
    if (column > 0 && column + 1 + word.length >= width) {
      text += "\n";
      column = 0;
    }
    text += column > 0 ? ` ${word}` : word;
    column += word.length + (column > 0 ? 1 : 0);
  }
  return text === "" ? "" : `${text}\n`;
}

/** `stty -g`: numbers that stty takes back. */
export function showNumbers(termios: Termios): string {
  const words = ["input", "output", "control", "local"].map((name) => {
    const speed = name === "control" ? (speeds.get(speedOf(termios)) ?? 15) : 0;
    return modes
      .filter((mode) => mode.group === name && isModeOn(termios, mode))
      .reduce((sum, mode) => sum + mode.bits, speed);
  });
  const bytes = Array.from({ length: CHARACTERS }, () => 0);
  for (const one of controlCharacters) bytes[one.index] = characterOf(termios, one);
  bytes[VTIME_INDEX] = termios.cc.VTIME;
  bytes[VMIN_INDEX] = termios.cc.VMIN;
  return [...words, ...bytes].map((number) => number.toString(16)).join(":");
}
