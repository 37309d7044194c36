import { nearest } from "./nearest.ts";

/**
 * A TypeError for an option that does not exist. Modules of a configuration run with their types taken away,
 * unchecked, and a misspelt `approval` must not mean that nobody is asked.
 */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  throw new TypeError(
    `A ${what} has no option ${JSON.stringify(unknown)}${
      meant === undefined ? `; it has ${known.join(", ")}` : `; did you mean ${meant}?`
    }`,
  );
}
