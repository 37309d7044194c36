import { formatTime } from "../programs/format-time.ts";
import { expandParts } from "./expansion/word.ts";
import type { Shell } from "./state/shell.ts";
import { readTemplate } from "./syntax/adapt.ts";

/** A prompt's text: its backslash escapes, then its expansions. */
export async function expandPrompt(shell: Shell, text: string): Promise<string> {
  const { nowMs } = await shell.sys.clock();
  const { nodename } = await shell.sys.uname();
  const { euid } = await shell.sys.getcredentials();
  const path = shortPath(shell);
  const decoded = text.replace(/\\(\\|\[|\]|D\{[^}]*\}|[0-7]{3}|.)/g, (whole, escape: string) => {
    if (/^[0-7]{3}$/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
    if (escape.startsWith("D"))
      return formatTime(escape.slice(2, -1) === "" ? "%X" : escape.slice(2, -1), nowMs);
    const time = times.get(escape);
    if (time !== undefined) return formatTime(time, nowMs);
    const plain = plainEscapes.get(escape);
    if (plain !== undefined) return plain;
    switch (escape) {
      case "u":
        return shell.variables.get("USER") ?? (euid === 0 ? "root" : "user");
      case "h":
        return nodename.split(".")[0] ?? nodename;
      case "H":
        return nodename;
      case "w":
        return path;
      case "W":
        return path === "/" || path === "~" ? path : (path.split("/").at(-1) ?? path);
      case "$":
        return euid === 0 ? "#" : "\\$";
      case "s":
        return shell.name.split("/").at(-1) ?? shell.name;
      case "j":
        return String(shell.jobs.list().length);
      default:
        return whole;
    }
  });
  return /[$`\\]/.test(decoded) ? expandParts(shell, readTemplate(decoded)) : decoded;
}

const times = new Map([
  ["d", "%a %b %d"],
  ["t", "%H:%M:%S"],
  ["T", "%I:%M:%S"],
  ["@", "%I:%M %p"],
  ["A", "%H:%M"],
]);

const plainEscapes = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["e", "\u001b"],
  ["[", ""],
  ["]", ""],
  ["v", "5.2"],
  ["V", "5.2.15"],
]);

function shortPath(shell: Shell): string {
  const path = shell.variables.get("PWD") ?? "/";
  const home = shell.variables.get("HOME");
  if (home === undefined || home === "/" || (path !== home && !path.startsWith(`${home}/`)))
    return path;
  return `~${path.slice(home.length)}`;
}
