/** Finds where brackets close without reading what is in them: each character is looked at once. */
import type { Scanner } from "./scanner.ts";

/**
 * Where the bracket closes whose inside begins at `from`; undefined where the text ends first.
 * Quotes, `$(…)` and `${…}` inside are stepped over.
 */
export function findClose(
  scanner: Scanner,
  from: number,
  brackets: "()" | "[]",
): number | undefined {
  const { text } = scanner;
  const open = brackets.charCodeAt(0);
  const close = brackets.charCodeAt(1);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === close) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (code === open) {
      depth += 1;
    } else {
      const next = stepOver(text, at, code);
      if (next === undefined) return undefined;
      at = next;
    }
  }
  return undefined;
}

/** Whether a parenthesis follows the one that closes at a place, perhaps on a joined line. */
export function closesPair({ source }: Scanner, close: number): boolean {
  if (/^(?:\\\n)+\)/.test(source.text.slice(close + 1, close + 64))) source.join(close + 1);
  return source.text.charCodeAt(close + 1) === 41;
}

/** The last place of what begins at `at`: a quoted stretch, an escape, or the character itself. */
function stepOver(text: string, at: number, code: number): number | undefined {
  switch (code) {
    case 92:
      return at + 1;
    case 39: {
      const end = text.indexOf("'", at + 1);
      return end === -1 ? undefined : end;
    }
    case 34:
      return skipTo(text, at + 1, 34);
    case 96:
      return skipTo(text, at + 1, 96);
    case 36:
      return text.charCodeAt(at + 1) === 123 ? skipTo(text, at + 2, 125) : at;
    default:
      return at;
  }
}

/** The place of the closing character, escapes and `${…}` stepped over. */
function skipTo(text: string, from: number, close: number): number | undefined {
  const closers = [close];
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) {
      at += 1;
    } else if (code === closers.at(-1)) {
      closers.pop();
      if (closers.length === 0) return at;
    } else if (code === 36 && close !== 96) {
      const next = text.charCodeAt(at + 1);
      if (next !== 123 && next !== 40) continue;
      closers.push(next === 123 ? 125 : 41);
      at += 1;
    } else if (code === 34 && closers.length > 1) {
      closers.push(34);
    }
  }
  return undefined;
}
