/**
 * Names of toolkits and tools: kebab-case in commands, policies and audits, camelCase in JavaScript.
 * Letters and digits of any script are kept, everything else separates words.
 */

/** `agentos-<name>` stays below the 255 bytes of a Linux file name with any script's letters. */
export const NAME_LIMIT_CHARACTERS = 60;

/** `listIssues`, `list_issues`, `List issues` → `list-issues`; "" where nothing is left. */
export function toKebabCase(name: string): string {
  return splitWords(name).join("-");
}

/** `list-issues` → `listIssues`: what JavaScript calls it. Always usable after a dot. */
export function toJavaScriptName(name: string): string {
  const camel = splitWords(name)
    .map((word, position) => (position === 0 ? word : capitalize(word)))
    .join("");
  // A property `then` would make the object around it a thenable, which `await` calls.
  if (camel === "then") return "then_";
  return /^\p{N}/u.test(camel) ? `_${camel}` : camel;
}

/** The words of a name in lower case, for names, flags and search alike. */
export function splitWords(name: string): string[] {
  return name
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The kebab-case name; a TypeError that says what is wrong where there is none. */
export function checkedName(what: string, name: unknown): string {
  if (typeof name !== "string") throw new TypeError(`The name of a ${what} must be a string.`);
  if (name.length > 4 * NAME_LIMIT_CHARACTERS) throw tooLong(what, name);
  const kebab = toKebabCase(name);
  if (kebab === "" || /^\p{M}/u.test(kebab)) {
    throw new TypeError(
      `${JSON.stringify(name)} cannot be the name of a ${what}: it needs a letter or digit.`,
    );
  }
  if (kebab.length > NAME_LIMIT_CHARACTERS) throw tooLong(what, name);
  return kebab;
}

/**
 * Throws where two names become the same command or the same JavaScript name.
 * `names` maps what somebody wrote to its kebab-case name.
 */
export function checkDistinct(what: string, names: ReadonlyMap<string, string>): void {
  const seen = new Map<string, string>();
  for (const [written, kebab] of names) {
    for (const form of new Set([kebab, toJavaScriptName(kebab)])) {
      const other = seen.get(form);
      if (other !== undefined) {
        throw new TypeError(
          `The ${what}s ${JSON.stringify(other)} and ${JSON.stringify(written)} would both be called ${form}. Rename one of them.`,
        );
      }
      seen.set(form, written);
    }
  }
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

function tooLong(what: string, name: string): TypeError {
  return new TypeError(
    `The name of a ${what} may have ${NAME_LIMIT_CHARACTERS} characters: ${JSON.stringify(name.slice(0, 80))} is longer.`,
  );
}
