/** Whether whole texts match a pattern: `case`, `[[ == ]]`, names of files. */
import type { Shell } from "../state/shell.ts";
import { isByteLocale, isPlain, toByteText } from "./characters.ts";
import { compilePattern } from "./pattern.ts";

export function matchesPattern(shell: Shell, text: string, pattern: string): boolean {
  const isExtended = shell.options.has("extglob");
  return patternTest(shell, pattern, { ignoreCase: shell.options.has("nocasematch"), isExtended })(
    text,
  );
}

/** `[[ == ]]`: extended patterns are always there. */
export function matchesExtended(shell: Shell, text: string, pattern: string): boolean {
  const ignoreCase = shell.options.has("nocasematch");
  return patternTest(shell, pattern, { ignoreCase, isExtended: true })(text);
}

/** The pattern made ready for many texts. In the C locale a character is a byte. */
export function patternTest(
  shell: Shell,
  pattern: string,
  options: { readonly ignoreCase: boolean; readonly isExtended: boolean },
): (text: string) => boolean {
  const kind = `${options.ignoreCase ? "i" : "c"}${options.isExtended ? "x" : "-"}\0`;
  const compile = (source: string) =>
    shell.remember(shell.patternCache, kind + source, () => compilePattern(source, options));
  const matcher = compile(pattern);
  return (text) => {
    if (isPlain(text) || !isByteLocale(shell)) return matcher.test(text);
    return compile(toByteText(pattern)).test(toByteText(text));
  };
}
