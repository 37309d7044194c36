/** GLOBIGNORE: names that globs do not find. */
import type { Shell } from "../state/shell.ts";
import { compilePattern } from "./pattern.ts";

/** Tells whether a path is ignored; undefined where GLOBIGNORE is not set or empty. */
export function ignoredNames(shell: Shell): ((path: string) => boolean) | undefined {
  const value = shell.variables.get("GLOBIGNORE");
  if (value === undefined || value === "") return undefined;
  const matchers = splitColons(value).map((pattern) =>
    shell.remember(shell.patternCache, `g${pattern}`, () =>
      compilePattern(pattern, { isPath: true }),
    ),
  );
  return (path) => {
    const last = path.split("/").at(-1);
    return last === "." || last === ".." || matchers.some((matcher) => matcher.test(path));
  };
}

/** At colons that are neither quoted nor in brackets. */
function splitColons(value: string): string[] {
  const pieces: string[] = [];
  let current = "";
  for (const [token] of value.matchAll(/\\[^]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/gu)) {
    if (token !== ":") {
      current += token;
      continue;
    }
    pieces.push(current);
    current = "";
  }
  return [...pieces, current].filter((piece) => piece !== "");
}
