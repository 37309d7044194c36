/**
 * The beginning of a text, on its own: V8 keeps the whole of a text for as long as a part cut from it lives, and what
 * a guest says may be a megabyte.
 */
export function shortText(text: string, length: number): string {
  return Buffer.from(text.length > length ? `${text.slice(0, length)}…` : text).toString();
}
