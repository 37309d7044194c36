import type { Shell } from "../state/shell.ts";
import { syntaxOf } from "../state/syntax-report.ts";
import type { Script } from "../syntax/ast.ts";
import { parse, parseGrowing } from "../syntax/parse.ts";
import type { ParseProgress } from "../syntax/parse-progress.ts";
import { BRACE_WORD } from "../syntax/scanner.ts";

/** Tells when lines are whole commands, with nothing open that a further line could close. */
export class Completeness {
  /** What the next line must hold to close what is open. */
  #closer: string | undefined;
  readonly #progress: ParseProgress = { statements: new Map(), caseItems: new Map() };

  /** Asked after each line that is added; most lines of a long command are not read again. */
  isComplete(shell: Shell, text: string, line: string): boolean {
    if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return false;
    if (this.#closer !== undefined && !mayClose(line, this.#closer)) return false;
    const syntax = syntaxOf(shell);
    const hasAliases = (syntax.aliases?.size ?? 0) > 0;
    const script = hasAliases ? parse(text, 1, syntax) : parseGrowing(text, syntax, this.#progress);
    this.#closer = hasAliases ? undefined : closerOf(script);
    return script.openHereDocument === undefined && script.error?.isIncomplete !== true;
  }
}

/** A group's brace is a word of its own; others are just looked for. */
function mayClose(line: string, closer: string): boolean {
  return closer === BRACE_WORD ? /(?:^|[\s;&|()])\}/.test(line) : line.includes(closer);
}

function closerOf({ error, openHereDocument }: Script): string | undefined {
  if (error?.isIncomplete === true) return error.closer;
  return openHereDocument?.delimiter;
}
