/** The modifiers behind a history event: `:h :t :r :e :p :s/old/new/ :& :g :a :G`. */
import type { History } from "./history.ts";
import { HistoryError } from "./history-error.ts";
import { tokenizeLine } from "./tokenize-line.ts";

export interface Edited {
  readonly text: string;
  readonly isOnlyShown: boolean;
}

/** Applies the modifier that `rest` starts with; `length` is how much of `rest` it is. */
export function editEvent(
  edited: Edited,
  rest: string,
  history: History,
): Edited & { readonly length: number } {
  const { text, isOnlyShown } = edited;
  switch (rest.charAt(0)) {
    case "p":
      return { text, isOnlyShown: true, length: 1 };
    case "h":
      return { text: cutAt(text, text.lastIndexOf("/")), isOnlyShown, length: 1 };
    case "t":
      return { text: text.slice(text.lastIndexOf("/") + 1), isOnlyShown, length: 1 };
    case "r":
      return { text: cutAt(text, text.lastIndexOf(".")), isOnlyShown, length: 1 };
    case "e": {
      const dot = text.lastIndexOf(".");
      return { text: dot === -1 ? text : text.slice(dot), isOnlyShown, length: 1 };
    }
    default:
      return { ...substitute(text, rest, history), isOnlyShown };
  }
}

function cutAt(text: string, at: number): string {
  return at === -1 ? text : text.slice(0, at);
}

interface Substitution {
  readonly text: string;
  readonly length: number;
}

function substitute(text: string, rest: string, history: History): Substitution {
  const scope = /^[gaG]*/.exec(rest)?.[0] ?? "";
  const kind = rest.charAt(scope.length);
  if (kind !== "s" && kind !== "&")
    throw new HistoryError(`${kind}: unrecognized history modifier`);
  const length = kind === "&" ? scope.length + 1 : readPair(rest, scope.length + 1, history);
  const pair = history.lastSubstitution;
  if (pair === undefined)
    throw new HistoryError(`:${rest.slice(0, length)}: no previous substitution`);
  if (pair.from === "" || !text.includes(pair.from))
    throw new HistoryError(`:${rest.slice(0, length)}: substitution failed`);
  return { text: replace(text, pair, scope), length };
}

function replace(text: string, pair: { from: string; to: string }, scope: string): string {
  if (scope.includes("G")) {
    return tokenizeLine(text)
      .map((word) => replaceFirst(word, pair))
      .join(" ");
  }
  return scope === "" ? replaceFirst(text, pair) : text.replaceAll(pair.from, () => pair.to);
}

function replaceFirst(text: string, { from, to }: { from: string; to: string }): string {
  return text.replace(from, () => to);
}

/** Reads `/old/new/` and remembers it; answers where it ends. */
function readPair(rest: string, start: number, history: History): number {
  const delimiter = rest.charAt(start);
  const old = readPart(rest, start + 1, delimiter);
  const fresh = readPart(rest, old.end, delimiter);
  const from = old.text === "" ? (history.lastSubstitution?.from ?? history.lastSearch) : old.text;
  const to = fresh.text.replace(/\\&|&/g, (found) => (found === "&" ? from : "&"));
  history.lastSubstitution = { from, to };
  return fresh.end;
}

function readPart(
  rest: string,
  start: number,
  delimiter: string,
): { readonly text: string; readonly end: number } {
  let text = "";
  for (let at = start; at < rest.length; at++) {
    const character = rest.charAt(at);
    if (character === delimiter) return { text, end: at + 1 };
    if (character === "\n") return { text, end: at };
    if (character === "\\" && rest.charAt(at + 1) === delimiter) at += 1;
    text += rest.charAt(at);
  }
  return { text, end: rest.length };
}
