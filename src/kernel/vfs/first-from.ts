/** The index of the first entry at or behind a cursor, among entries in the order of their positions. */
export function firstFrom(
  ordered: readonly { readonly position: number }[],
  cursor: number,
): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle]?.position ?? 0) < cursor) low = middle + 1;
    else high = middle;
  }
  return low;
}
