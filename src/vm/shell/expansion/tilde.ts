import { NameDatabase } from "../../programs/name-database.ts";
import type { Shell } from "../state/shell.ts";
import type { WordPart } from "../syntax/ast.ts";

export interface TildeOptions {
  /** The text starts the word. */
  readonly isStart: boolean;
  /** The text ends the word: without that, `~name` may go on in the next part and is none. */
  readonly isEnd: boolean;
  readonly isAssignment: boolean;
}

/** Unquoted text with its tildes expanded; what they stand for is quoted. */
export function expandTilde(shell: Shell, text: string, options: TildeOptions): WordPart[] {
  const assigned = options.isAssignment ? undefined : /^[A-Za-z_]\w*=(?=~)/.exec(text)?.[0];
  if (options.isStart && assigned !== undefined) {
    const head: WordPart = { kind: "literal", text: assigned, isQuoted: false };
    return [
      head,
      ...expandTilde(shell, text.slice(assigned.length), { ...options, isAssignment: true }),
    ];
  }
  const pieces = options.isAssignment ? text.split(/(?<=:)/) : [text];
  return pieces.flatMap((piece, at): WordPart[] => {
    const isPlain = !piece.startsWith("~") || (at === 0 && !options.isStart);
    const literal: WordPart = { kind: "literal", text: piece, isQuoted: false };
    if (isPlain) return [literal];
    const name = /^~([^/:]*)/.exec(piece)?.[1] ?? "";
    const isWhole = name.length + 1 === piece.length;
    if (isWhole && !(options.isEnd && at === pieces.length - 1)) return [literal];
    const home = findHome(shell, name);
    if (home === undefined) return [literal];
    const rest = piece.slice(name.length + 1);
    const directory = home === "/" && rest.startsWith("/") ? "" : home;
    const quoted: WordPart = { kind: "literal", text: directory, isQuoted: true };
    return rest === "" ? [quoted] : [quoted, { kind: "literal", text: rest, isQuoted: false }];
  });
}

/** Reads where users' homes are, if a tilde in the text names one, before it is expanded. */
export async function askHomes(shell: Shell, text: string): Promise<void> {
  if (!/~[A-Za-z_]/.test(text)) return;
  const users = await new NameDatabase(shell.sys).users();
  for (const { name, home } of users) shell.asked.set(`~${name}`, home);
}

function findHome(shell: Shell, name: string): string | undefined {
  const { variables } = shell;
  const stacked = /^([-+]?)(\d+)$/.exec(name);
  if (stacked !== null) return findStacked(shell, stacked[1] === "-", Number(stacked[2]));
  switch (name) {
    case "":
      return variables.get("HOME") ?? (variables.get("EUID") === "0" ? "/root" : "/home/user");
    case "+":
      return variables.get("PWD");
    case "-":
      return variables.get("OLDPWD");
    default:
      return shell.asked.get(`~${name}`);
  }
}

/** `~2` and `~-0`: the stack of `pushd`, counted from its top or its bottom. */
function findStacked(shell: Shell, isFromBottom: boolean, at: number): string | undefined {
  const stack = [shell.variables.get("PWD") ?? "", ...shell.directoryStack];
  return stack[isFromBottom ? stack.length - 1 - at : at];
}
