import type { Scanner } from "./scanner.ts";
import type { Token } from "./tokens.ts";

/** Words that no alias replaces in POSIX mode. */
const reserved = new Set(
  "! { } case do done elif else esac fi for function if in select then time until while [[ ]] coproc".split(
    " ",
  ),
);

/**
 * Replaces an alias's name by its value, to be read again from there. A word counts where a command
 * begins, or right behind an alias that ends in a blank.
 */
export function expandAlias(scanner: Scanner, token: Token, isCommand: boolean): boolean {
  const { text: name, start } = token;
  if (name === "" || scanner.substitutionDepth > 0) return false;
  const value = scanner.options.aliases?.get(name);
  if (value === undefined) return false;
  if (isCommand && scanner.options.isPosix === true && reserved.has(name)) return false;
  const { source } = scanner;
  if (source.isExpanding(name, start) || (!isCommand && !source.expandsNext(start))) return false;
  source.splice(name, start, start + name.length, value);
  return true;
}
