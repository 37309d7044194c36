/** Modes as `chmod`, `mkdir -m` and `umask` take them, and as `ls -l` shows them. */
import type { FileKind } from "../../kernel/index.ts";

export interface ModeSubject {
  readonly mode: number;
  readonly isDirectory: boolean;
  readonly umask: number;
}

/** The mode after an octal or symbolic change; undefined where that is no mode. */
export function changeMode(subject: ModeSubject, change: string): number | undefined {
  if (/^[0-7]+$/.test(change)) {
    if (Number.parseInt(change, 8) > 0o7777) return undefined;
    const kept = subject.isDirectory && change.length < 5 ? subject.mode & 0o6000 : 0;
    return (Number.parseInt(change, 8) & 0o7777) | kept;
  }
  let { mode } = subject;
  for (const clause of change.split(",")) {
    const match = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]|[0-7]+))+)$/.exec(clause);
    if (match === null) return undefined;
    const [, who = "", actions = ""] = match;
    for (const [, operator = "", permissions = ""] of actions.matchAll(
      /([-+=])([rwxXst]*|[ugo]|[0-7]+)(?=[-+=]|$)/g,
    )) {
      const next = /^[0-7]/.test(permissions)
        ? applyNumber(mode, who, operator, permissions)
        : applyAction({ ...subject, mode }, who, operator, permissions);
      if (next === undefined) return undefined;
      mode = next;
    }
  }
  return mode;
}

/** `+1000`, `=755`: bits as they are, for nobody in particular. */
function applyNumber(
  mode: number,
  who: string,
  operator: string,
  digits: string,
): number | undefined {
  const bits = Number.parseInt(digits, 8);
  if (who !== "" || bits > 0o7777) return undefined;
  return operator === "+" ? mode | bits : operator === "-" ? mode & ~bits : bits;
}

const everyone = 0o777;

function applyAction(
  subject: ModeSubject,
  who: string,
  operator: string,
  permissions: string,
): number {
  const { mode, umask } = subject;
  const mask = whoMask(who);
  const limit = who === "" ? ~umask & everyone : everyone;
  const bits = permissionBits(subject, permissions);
  const special =
    (permissions.includes("s")
      ? (who === "" || /[ua]/.test(who) ? 0o4000 : 0) |
        (who === "" || /[ga]/.test(who) ? 0o2000 : 0)
      : 0) |
    (permissions.includes("t") && (who === "" || /[oa]/.test(who) || who === "") ? 0o1000 : 0);
  const change = (bits & mask & limit) | special;
  if (operator === "+") return mode | change;
  if (operator === "-") return mode & ~change;
  const specialMask =
    (/u|a|^$/.test(who) ? 0o4000 : 0) |
    (/g|a|^$/.test(who) ? 0o2000 : 0) |
    (/a|^$/.test(who) ? 0o1000 : 0);
  const cleared = mode & ~mask & ~(subject.isDirectory ? 0 : specialMask);
  return cleared | change;
}

function whoMask(who: string): number {
  if (who === "" || who.includes("a")) return everyone;
  return (
    (who.includes("u") ? 0o700 : 0) |
    (who.includes("g") ? 0o070 : 0) |
    (who.includes("o") ? 0o007 : 0)
  );
}

/** The permissions for everyone: `x` as 0111, and `u`, `g`, `o` as the bits these have now. */
function permissionBits({ mode, isDirectory }: ModeSubject, permissions: string): number {
  if (/^[ugo]$/.test(permissions)) {
    const shift = permissions === "u" ? 6 : permissions === "g" ? 3 : 0;
    return ((mode >> shift) & 7) * 0o111;
  }
  let bits = 0;
  if (permissions.includes("r")) bits |= 0o444;
  if (permissions.includes("w")) bits |= 0o222;
  if (permissions.includes("x")) bits |= 0o111;
  if (permissions.includes("X") && (isDirectory || (mode & 0o111) !== 0)) bits |= 0o111;
  return bits;
}

const kindLetters: Record<FileKind, string> = {
  file: "-",
  directory: "d",
  symlink: "l",
  fifo: "p",
  device: "c",
  socket: "s",
  anonymous: "?",
};

/** `drwxr-xr-x`. */
export function showMode(kind: FileKind, mode: number): string {
  const part = (shift: number, special: number, letter: string): string => {
    const bits = (mode >> shift) & 7;
    const execute = (bits & 1) !== 0;
    const isSpecial = (mode & special) !== 0;
    const last = isSpecial ? (execute ? letter : letter.toUpperCase()) : execute ? "x" : "-";
    return `${bits & 4 ? "r" : "-"}${bits & 2 ? "w" : "-"}${last}`;
  };
  return `${kindLetters[kind]}${part(6, 0o4000, "s")}${part(3, 0o2000, "s")}${part(0, 0o1000, "t")}`;
}
