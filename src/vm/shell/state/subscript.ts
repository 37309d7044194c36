/** Subscripts that come as text at run time: of namerefs, of variables in arithmetic, of builtins' operands. */
import type { Shell } from "./shell.ts";
import { ShellError } from "./shell-error.ts";

/** A key has its quotes removed; an index is an arithmetic expression. */
export type SubscriptKind = "key" | "index";

/**
 * Thrown where code that cannot wait meets a subscript with expansions in it. Who can wait makes
 * them, with the interpreter's `expandSubscript`, and tries again. Where nobody can, it is an error.
 */
export class ExpansionNeeded extends ShellError {
  readonly text: string;
  readonly kind: SubscriptKind;

  constructor(text: string, kind: SubscriptKind) {
    super(`${text}: syntax error: operand expected (error token is "${text}")`);
    this.text = text;
    this.kind = kind;
  }
}

/** How many expanded subscripts are kept for a second try. */
const TRIES_LIMIT = 64;

/** The subscript as it counts. Fails with ExpansionNeeded. */
export function readSubscript(shell: Shell, text: string, kind: SubscriptKind): string {
  if (!/[$`"'\\]/.test(text)) return text;
  const made = shell.subscripts.get(kind + text);
  if (made !== undefined) return made;
  if (/[$`]/.test(text)) throw new ExpansionNeeded(text, kind);
  return kind === "key" ? removeQuotes(text) : text.replaceAll('"', "");
}

/** Makes the expansions of a subscript, if it has any, before `readSubscript` asks for them. */
export async function prepareSubscript(
  shell: Shell,
  text: string,
  kind: SubscriptKind,
): Promise<void> {
  if (!/[$`]/.test(text)) return;
  shell.subscripts.set(kind + text, await shell.interpreter.expandSubscript(shell, text, kind));
}

/** Runs a step that cannot wait, as often as it needs a subscript expanded. */
export async function withSubscripts<T>(shell: Shell, step: () => T): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof ExpansionNeeded) || tries >= TRIES_LIMIT) throw error;
      await prepareSubscript(shell, error.text, error.kind);
    } finally {
      if (shell.subscripts.size > TRIES_LIMIT) shell.subscripts.clear();
    }
  }
}

function removeQuotes(text: string): string {
  return text.replace(
    /\\([^])|'([^']*)'|"((?:[^"\\]|\\[^])*)"/gu,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? "").replace(/\\([$`"\\])/g, "$1"),
  );
}
