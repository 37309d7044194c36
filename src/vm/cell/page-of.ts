/** What the entries of one message may take as JSON; with what belongs to them they fit a frame's header. */
const PAGE_BYTES = 200 * 1024;

/** As many of the entries, from the first, as fit one message; one at least. */
export function pageOf<T>(entries: readonly T[]): readonly T[] {
  let bytes = 0;
  for (const [count, entry] of entries.entries()) {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > PAGE_BYTES && count > 0) return entries.slice(0, count);
  }
  return entries;
}
