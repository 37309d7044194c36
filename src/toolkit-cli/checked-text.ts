/** The longest description of a tool or toolkit: what an agent reads is paid for. */
export const DESCRIPTION_LIMIT_CHARACTERS = 4096;

/** The description without space around it; a TypeError where there is none or too much. */
export function checkedText(what: string, description: unknown): string {
  if (typeof description !== "string" || description.trim() === "") {
    throw new TypeError(`A ${what} needs a description: whoever chooses it knows nothing else.`);
  }
  const text = description.trim().toWellFormed();
  if (text.length > DESCRIPTION_LIMIT_CHARACTERS) {
    throw new TypeError(
      `A ${what}'s description may have ${DESCRIPTION_LIMIT_CHARACTERS} characters, not ${text.length}.`,
    );
  }
  return text;
}
