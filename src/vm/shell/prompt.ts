/** Prompts: PS1 and its kin, and `${x@P}`. */
import { isKernelError } from "../../kernel/index.ts";
import { formatTime } from "../programs/format-time.ts";
import { NameDatabase } from "../programs/name-database.ts";
import { findZone } from "../programs/time-zone.ts";
import { expandParts } from "./expansion/word.ts";
import type { Shell } from "./state/shell.ts";
import { ShellError } from "./state/shell-error.ts";
import { readTemplate } from "./syntax/parse.ts";

/** A prompt's text: its backslash escapes, then its expansions. What cannot be expanded stays as it is. */
export async function expandPrompt(shell: Shell, text: string): Promise<string> {
  const decoded = text.includes("\\") ? await decodePrompt(shell, text) : text;
  if (!shell.options.has("promptvars") || !/[$`\\]/.test(decoded)) return decoded;
  try {
    return await expandParts(shell, readTemplate(unquote(decoded)));
  } catch (error) {
    if (!(error instanceof ShellError)) throw error;
    await shell.complain(error.message);
    return decoded;
  }
}

/** A quoted quote is a quote, as between double quotes. */
function unquote(text: string): string {
  return text.replace(/\\(["$`\\])/g, (whole, character) => (character === '"' ? '"' : whole));
}

async function decodePrompt(shell: Shell, text: string): Promise<string> {
  let decoded = "";
  let at = 0;
  for (;;) {
    const next = text.indexOf("\\", at);
    if (next === -1) return decoded + text.slice(at);
    decoded += text.slice(at, next);
    const { value, length } = await decodeEscape(shell, text.slice(next + 1));
    decoded += value;
    at = next + 1 + length;
  }
}

interface Decoded {
  readonly value: string;
  /** How much of the text behind the backslash it takes. */
  readonly length: number;
}

async function decodeEscape(shell: Shell, rest: string): Promise<Decoded> {
  const letter = rest.charAt(0);
  if (/[0-7]/.test(letter)) return decodeOctal(rest.slice(0, 3));
  if (rest.startsWith("D{")) {
    const end = rest.indexOf("}");
    const format = rest.slice(2, end === -1 ? undefined : end);
    const value = await showTime(shell, format === "" ? "%X" : format);
    return { value, length: end === -1 ? rest.length : end + 1 };
  }
  const time = times.get(letter);
  if (time !== undefined) return { value: await showTime(shell, time), length: 1 };
  const plain = plainEscapes.get(letter) ?? (await findValue(shell, letter));
  return { value: plain ?? `\\${letter}`, length: letter.length };
}

/** Three octal digits, or fewer at the end of the text; a NUL is nothing. */
function decodeOctal(digits: string): Decoded {
  if (!/^[0-7]+$/.test(digits)) return { value: "\\", length: 0 };
  const code = Number.parseInt(digits, 8) & 0xff;
  return { value: code === 0 ? "" : String.fromCharCode(code), length: digits.length };
}

async function showTime(shell: Shell, format: string): Promise<string> {
  const { nowMs } = await shell.sys.clock();
  return formatTime(format, nowMs, findZone(shell.variables.get("TZ")));
}

async function findValue(shell: Shell, letter: string): Promise<string | undefined> {
  switch (letter) {
    case "u":
      return userName(shell);
    case "h":
      return (await shell.sys.uname()).nodename.split(".")[0] ?? "";
    case "H":
      return (await shell.sys.uname()).nodename;
    case "w":
      return quotePath(shell, trimPath(shell, shortPath(shell)));
    case "W":
      return quotePath(shell, lastName(shortPath(shell)));
    case "$":
      return (await shell.sys.getcredentials()).euid === 0 ? "#" : quotePath(shell, "$");
    case "s":
      return shell.name.split("/").at(-1) ?? shell.name;
    case "j":
      return String(shell.jobs.list().length);
    case "l":
      return terminalName(shell);
    case "!":
      return String(historyNumber(shell));
    case "#":
      return String(shell.commandNumber);
    case "[":
      return shell.isInteractive ? "\u0001" : "";
    case "]":
      return shell.isInteractive ? "\u0002" : "";
    default:
      return undefined;
  }
}

/** The number of the command to be typed, or of the one that runs. */
function historyNumber({ options, history, isPrompting }: Shell): number {
  if (!options.has("history")) return 1;
  return isPrompting ? history.next : Math.max(1, history.next - 1);
}

async function userName(shell: Shell): Promise<string> {
  const { euid } = await shell.sys.getcredentials();
  const database = new NameDatabase(shell.sys);
  return (await database.findUser(euid))?.name ?? "I have no name!";
}

async function terminalName(shell: Shell): Promise<string> {
  try {
    await shell.sys.ioctl(0, { request: "TIOCGWINSZ" });
    return (await shell.sys.readlink("/proc/self/fd/0")).split("/").at(-1) ?? "tty";
  } catch (error) {
    if (isKernelError(error)) return "tty";
    throw error;
  }
}

const times = new Map([
  ["d", "%a %b %d"],
  ["t", "%H:%M:%S"],
  ["T", "%I:%M:%S"],
  ["@", "%I:%M %p"],
  ["A", "%H:%M"],
]);

const plainEscapes = new Map([
  ["\\", "\\"],
  ["n", "\n"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["e", "\u001b"],
  ["v", "5.2"],
  ["V", "5.2.15"],
]);

/** The directory with `~` for HOME. */
function shortPath(shell: Shell): string {
  const path = shell.variables.get("PWD") ?? "/";
  const home = shell.variables.get("HOME");
  if (home === undefined || home === "/" || (path !== home && !path.startsWith(`${home}/`)))
    return path;
  return `~${path.slice(home.length)}`;
}

/** PROMPT_DIRTRIM: the last names only. */
function trimPath(shell: Shell, path: string): string {
  const count = Number(shell.variables.get("PROMPT_DIRTRIM") ?? "0");
  if (!(count > 0)) return path;
  const head = path.startsWith("~") ? "~/" : "";
  const names = path
    .slice(head === "" ? 1 : 2)
    .split("/")
    .filter((name) => name !== "");
  return names.length <= count ? path : `${head}.../${names.slice(-count).join("/")}`;
}

function lastName(path: string): string {
  return path === "/" || path === "~" ? path : (path.split("/").at(-1) ?? path);
}

/** What expansion would take for its own in a name is quoted against it. */
function quotePath(shell: Shell, path: string): string {
  return shell.options.has("promptvars") ? path.replace(/[$`\\]/g, "\\$&") : path;
}
