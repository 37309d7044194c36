import { UsageError } from "../options.ts";

/** What a command line asks for. */
export interface XxdSettings {
  kind: "hex" | "little" | "bits" | "plain" | "include";
  isReverse: boolean;
  columns: number;
  group: number;
  length: number | undefined;
  /** Where to start; from the end where it is negative. */
  seek: number;
  isSeekRelative: boolean;
  shown: number;
  isUpper: boolean;
  isCapital: boolean;
  skipsZeros: boolean;
  isDecimal: boolean;
  name: string | undefined;
  readonly operands: string[];
}

const values = ["c", "g", "l", "n", "o", "s"];

/** Options as xxd takes them: one each word, its value in it or behind it. Undefined for a bad one. */
export function readSettings(words: readonly string[]): XxdSettings | undefined {
  const settings: XxdSettings = {
    kind: "hex",
    isReverse: false,
    columns: -1,
    group: -1,
    length: undefined,
    seek: 0,
    isSeekRelative: false,
    shown: 0,
    isUpper: false,
    isCapital: false,
    skipsZeros: false,
    isDecimal: false,
    name: undefined,
    operands: [],
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      settings.operands.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      settings.operands.push(word);
      continue;
    }
    const option = word.replace(/^--/, "-").slice(1);
    const letter = option.charAt(0);
    if (!values.includes(letter)) {
      if (!setFlag(settings, option)) return undefined;
      continue;
    }
    const inside = option.replace(/^(?:cols|groupsize|len|name|offset|seek|skip|[a-z])/, "");
    if (inside === "") at += 1;
    const value = inside === "" ? words[at] : inside;
    if (value === undefined) return undefined;
    setValue(settings, option, letter, value);
  }
  return settings.operands.length > 2 ? undefined : finish(settings);
}

function setFlag(settings: XxdSettings, option: string): boolean {
  const letter = option.charAt(0);
  if (letter === "a") settings.skipsZeros = !settings.skipsZeros;
  else if (letter === "b") settings.kind = "bits";
  else if (letter === "e") settings.kind = "little";
  else if (letter === "u") settings.isUpper = true;
  else if (letter === "p") settings.kind = "plain";
  else if (letter === "i") settings.kind = "include";
  else if (letter === "C") settings.isCapital = true;
  else if (letter === "d") settings.isDecimal = true;
  else if (letter === "r") settings.isReverse = true;
  else return false;
  return true;
}

function setValue(settings: XxdSettings, option: string, letter: string, value: string): void {
  if (letter === "c" && option.startsWith("cap")) {
    settings.isCapital = true;
    return;
  }
  if (letter === "n") settings.name = value;
  else if (letter === "c") settings.columns = number(value);
  else if (letter === "g") settings.group = number(value);
  else if (letter === "l") settings.length = number(value);
  else if (letter === "o") settings.shown = number(value);
  else {
    settings.isSeekRelative = value.startsWith("+");
    settings.seek = number(value.replace(/^\+/, ""));
  }
}

/** As strtol with base 0 reads it: 0 where there is no number. */
function number(text: string): number {
  const match = /^\s*(-?)(0[xX][0-9a-fA-F]+|\d+)/.exec(text);
  const digits = match?.[2] ?? "0";
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return match?.[1] === "-" ? -value : value;
}

function finish(settings: XxdSettings): XxdSettings {
  const { kind } = settings;
  const usualColumns = new Map([
    ["plain", 30],
    ["include", 12],
    ["bits", 6],
  ]);
  const isFree = kind === "plain" && settings.columns === 0;
  if (settings.columns < 1 && !isFree) settings.columns = usualColumns.get(kind) ?? 16;
  const hasLimit = kind === "hex" || kind === "bits" || kind === "little";
  if (hasLimit && settings.columns > 256)
    throw new UsageError("invalid number of columns (max. 256).", { hasHint: false });
  if (settings.group === -1) settings.group = kind === "bits" ? 1 : kind === "little" ? 4 : 2;
  if (settings.group < 1 || settings.group > settings.columns) settings.group = settings.columns;
  if (kind === "little" && (settings.group & (settings.group - 1)) !== 0) {
    throw new UsageError("number of octets per group must be a power of 2 with -e.", {
      hasHint: false,
    });
  }
  return settings;
}
