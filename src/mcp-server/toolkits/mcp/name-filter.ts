// Tools by name, as the configuration writes them.
import { toKebabCase } from "../../../toolkit-cli/index.ts";

/** Whether a tool of that name is meant: as the server spells it, or as its command does; `*` is anything. */
export function isNamedBy(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matches(pattern, name));
}

/** The patterns that name nothing: somebody misspelt them. */
export function findUnused(patterns: readonly string[], names: readonly string[]): string[] {
  return patterns.filter((pattern) => !names.some((name) => matches(pattern, name)));
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name || toKebabCase(pattern) === toKebabCase(name);
  return (
    matchesParts(pattern.split("*"), name) || matchesParts(pattern.split("*"), toKebabCase(name))
  );
}

/** The parts in their order, the first at the start and the last at the end. */
function matchesParts(parts: readonly string[], name: string): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}
