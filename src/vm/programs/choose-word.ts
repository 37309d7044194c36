import { UsageError } from "./options.ts";

/**
 * The first of the words that mean the same as `word`, or as the one it begins. Each list is a
 * choice with its synonyms. Fails with a UsageError in GNU's words.
 */
export function chooseWord(
  word: string,
  option: string,
  choices: readonly (readonly string[])[],
): string {
  const exact = choices.find((names) => names.includes(word));
  if (exact !== undefined) return exact[0] ?? word;
  const begun = choices.filter((names) => names.some((name) => name.startsWith(word)));
  const [only] = begun;
  if (begun.length === 1 && only !== undefined && word !== "") return only[0] ?? word;
  const kind = begun.length > 1 ? "ambiguous" : "invalid";
  const lines = choices.map((names) => `  - ${names.map((name) => `'${name}'`).join(", ")}`);
  throw new UsageError(
    `${kind} argument '${word}' for '${option}'\nValid arguments are:\n${lines.join("\n")}`,
    { status: 1 },
  );
}

/** When `--color` and the like apply. */
export const whenChoices = [
  ["always", "yes", "force"],
  ["never", "no", "none"],
  ["auto", "tty", "if-tty"],
] as const;
