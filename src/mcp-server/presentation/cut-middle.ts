/** A text within a limit: its beginning and its end, with a word about what is left out between. */
export function cutMiddle(
  text: string,
  limitBytes: number,
): { readonly text: string; readonly isCut: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= limitBytes) return { text, isCut: false };
  const half = Math.floor(limitBytes / 2);
  // Of a character that is cut three bytes are left at most; a text may hold no end of these by itself.
  const head = new TextDecoder().decode(bytes.subarray(0, half)).replace(/\uFFFD{1,3}$/, "");
  const tail = new TextDecoder()
    .decode(bytes.subarray(bytes.length - half))
    .replace(/^\uFFFD+/, "");
  const omitted = bytes.length - 2 * half;
  return { text: `${head}\n[… ${omitted} bytes omitted …]\n${tail}`, isCut: true };
}
