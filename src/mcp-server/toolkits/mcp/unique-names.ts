import {
  NAME_LIMIT_CHARACTERS,
  toJavaScriptName,
  toKebabCase,
} from "../../../toolkit-cli/index.ts";

/**
 * Gives names that commands and JavaScript can tell apart: a name that is taken gets a number, one
 * without a letter or digit is "tool", a long one is cut. The same names in the same order get the same.
 */
export class UniqueNames {
  readonly #taken = new Set<string>();

  take(written: string): string {
    const base = baseOf(written);
    let name = base;
    for (let number = 2; this.isTaken(name); number++) name = `${base}-${number}`;
    this.#taken.add(toJavaScriptName(name));
    return name;
  }

  isTaken(name: string): boolean {
    return this.#taken.has(toJavaScriptName(name));
  }
}

/** Room for the number. */
const baseCharacters = NAME_LIMIT_CHARACTERS - 5;

function baseOf(written: string): string {
  const kebab = toKebabCase(written).replace(/^[\p{M}-]+/u, "");
  const cut = kebab
    .slice(0, baseCharacters)
    .toWellFormed()
    .replace(/[-\ufffd]+$/, "");
  return cut === "" ? "tool" : cut;
}
