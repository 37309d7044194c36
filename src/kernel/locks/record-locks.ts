/** Ranges of one file locked by processes: POSIX record locks, see fcntl_locking(2). */

/** Who holds a lock: a process. Identity counts, the pid is for F_GETLK. */
export interface LockOwner {
  readonly pid: number;
}

export interface HeldRange {
  readonly owner: LockOwner;
  readonly type: "read" | "write";
  readonly start: number;
  /** The first byte after it; Infinity when it goes to the end of the file, wherever that is. */
  readonly end: number;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The first range of another owner that is in the way. */
export function findBlocking(held: readonly HeldRange[], wanted: HeldRange): HeldRange | undefined {
  return held.find(
    (range) =>
      range.owner !== wanted.owner &&
      isOverlapping(range, wanted) &&
      (range.type === "write" || wanted.type === "write"),
  );
}

/** What is held after `owner` has given up the range: its locks are cut, split or gone. */
export function withoutRange(
  held: readonly HeldRange[],
  owner: LockOwner,
  { start, end }: ByteRange,
): HeldRange[] {
  return held.flatMap((range) => {
    if (range.owner !== owner || !isOverlapping(range, { start, end })) return [range];
    const before = { ...range, end: start };
    const after = { ...range, start: end };
    return [before, after].filter((piece) => piece.start < piece.end);
  });
}

/** What is held after the range is locked: it replaces the owner's own and merges with its like. */
export function withRange(held: readonly HeldRange[], wanted: HeldRange): HeldRange[] {
  let { start, end } = wanted;
  const rest = withoutRange(held, wanted.owner, wanted).filter((range) => {
    const isLike = range.owner === wanted.owner && range.type === wanted.type;
    const touches = range.end === start || range.start === end;
    if (!isLike || !touches) return true;
    start = Math.min(start, range.start);
    end = Math.max(end, range.end);
    return false;
  });
  return [...rest, { ...wanted, start, end }].sort((a, b) => a.start - b.start);
}

function isOverlapping(one: ByteRange, other: ByteRange): boolean {
  return one.start < other.end && other.start < one.end;
}
