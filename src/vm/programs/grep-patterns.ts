/** What grep is to look for, from its options and operands. */
import { LineMatcher } from "./line-matcher.ts";
import { readSmallFile } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { RegExpSyntaxError } from "./posix-regexp.ts";
import type { Run } from "./program.ts";

/** The patterns as one matcher, and the operands that are files. Fails with a UsageError. */
export async function readPatterns(
  run: Run,
): Promise<{ readonly matcher: LineMatcher; readonly files: readonly string[] }> {
  const { options } = run;
  const patterns = options.all("regexp").flatMap((text) => text.split("\n"));
  for (const file of options.all("file")) {
    const text = await readSmallFile(run.sys, file === "-" ? "/dev/stdin" : file);
    if (text === undefined)
      throw new UsageError(`${file}: No such file or directory`, { hasHint: false });
    if (text !== "") patterns.push(...text.replace(/\n$/, "").split("\n"));
  }
  const isGiven = options.has("regexp") || options.has("file");
  const [first, ...rest] = run.operands;
  if (!isGiven && first === undefined) {
    throw new UsageError("");
  }
  if (!isGiven) patterns.push(...(first ?? "").split("\n"));
  const kind = options.last("extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp");
  const isExtended = kind === "extended-regexp" || (kind === undefined && run.baseName === "egrep");
  const isFixed = kind === "fixed-strings" || (kind === undefined && run.baseName === "fgrep");
  const syntax = isExtended
    ? "extended"
    : isFixed
      ? "fixed"
      : kind === "perl-regexp"
        ? "perl"
        : "basic";
  try {
    const matcher = new LineMatcher(patterns, {
      syntax,
      ignoreCase:
        options.last("ignore-case", "y", "no-ignore-case") !== "no-ignore-case" &&
        (options.has("ignore-case") || options.has("y")),
      isWord: options.has("word-regexp"),
      isLine: options.has("line-regexp"),
    });
    return { matcher, files: isGiven ? run.operands : rest };
  } catch (error) {
    if (error instanceof RegExpSyntaxError) throw new UsageError(error.message, { hasHint: false });
    throw error;
  }
}
