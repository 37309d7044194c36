/** What a list of a server has, as far as we read it. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether the server has more, which nobody will see. */
  readonly isCut: boolean;
}

interface RawPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
}

const pagesLimit = 100;
const itemsLimit = 1000;

/** Reads pages until they end, repeat, or are too many. */
export async function collectPages<T>(
  read: (cursor: string | undefined) => Promise<RawPage<T>>,
): Promise<Page<T>> {
  const items: T[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesLimit; page++) {
    const { items: more, nextCursor } = await read(cursor);
    const room = itemsLimit - items.length;
    items.push(...more.slice(0, room));
    if (more.length > room) break;
    if (nextCursor === undefined || seen.has(nextCursor)) return { items, isCut: false };
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { items, isCut: true };
}
