/** Too short to be told from ordinary text. */
const MIN_LENGTH = 6;
const MAX_VALUES = 256;

/**
 * The secrets a toolkit has used, so that nothing that leaves it shows them: an API may send back
 * what it was sent.
 */
export class SecretValues {
  /** In the order of their use. */
  readonly #values = new Set<string>();

  add(value: string): void {
    for (const form of formsOf(value)) {
      if (form.length < MIN_LENGTH) continue;
      this.#values.delete(form);
      this.#values.add(form);
    }
    for (const oldest of this.#values) {
      if (this.#values.size <= MAX_VALUES) return;
      this.#values.delete(oldest);
    }
  }

  /** The text with `[credential]` in their place. */
  hide(text: string): string {
    let hidden = text;
    const longestFirst = [...this.#values].toSorted((one, other) => other.length - one.length);
    for (const value of longestFirst) hidden = hidden.replaceAll(value, "[credential]");
    return hidden;
  }
}

/** As it is, and as headers, URLs and JSON write it. */
function formsOf(value: string): string[] {
  const base64 = Buffer.from(value).toString("base64");
  const json = JSON.stringify(value).slice(1, -1);
  return [value, json, encodeURIComponent(value), base64, encodeURIComponent(base64)];
}
