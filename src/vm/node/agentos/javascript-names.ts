/** What JavaScript calls a toolkit or tool: as toJavaScriptName of toolkit-cli/names.ts; a test compares the two. */
export function toCamel(name: string): string {
  const camel = name
    .split("-")
    .map((word, position) => (position === 0 ? word : capitalize(word)))
    .join("");
  // A property `then` would make the object around it a thenable, which `await` calls.
  if (camel === "then") return "then_";
  return /^\p{N}/u.test(camel) ? `_${camel}` : camel;
}

/** Names of which it is certain what they are in the commands: `listIssues` is `list-issues`. */
export function findKebab(name: string): string | undefined {
  if (!/^[a-z]+(?:[A-Z][a-z]+)*$/.test(name)) return undefined;
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}
