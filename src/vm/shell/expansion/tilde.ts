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

/** Homes by name as the image has them: passwd is not read in the middle of a word. */
function findHome(shell: Shell, name: string): string | undefined {
  switch (name) {
    case "":
      return shell.variables.get("HOME") ?? "/home/user";
    case "+":
      return shell.variables.get("PWD");
    case "-":
      return shell.variables.get("OLDPWD");
    case "root":
      return "/root";
    case "user":
      return "/home/user";
    default:
      return undefined;
  }
}
