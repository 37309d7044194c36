import type { Run } from "../program.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { TextRegExp } from "../regexp/text-regexp.ts";

/** What a pattern searches for, or why it cannot. */
export function compileSearch(pattern: string, run: Run): TextRegExp | string {
  const ignoresCase =
    run.has("IGNORE-CASE") || (run.has("ignore-case") && pattern === pattern.toLowerCase());
  try {
    return new TextRegExp(pattern, { syntax: "extended", ignoreCase: ignoresCase });
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return error.message;
    throw error;
  }
}
