/** Which keys move, and how far. Escape sequences are those of xterm. */

type Amount = "row" | "page" | "half";

const forward: ReadonlyMap<string, Amount> = new Map([
  ["j", "row"],
  ["e", "row"],
  ["\n", "row"],
  ["\r", "row"],
  ["\u001B[B", "row"],
  ["\u001BOB", "row"],
  [" ", "page"],
  ["f", "page"],
  ["\u001B[6~", "page"],
  ["\u0006", "page"],
  ["d", "half"],
  ["\u0004", "half"],
]);

const backward: ReadonlyMap<string, Amount> = new Map([
  ["k", "row"],
  ["y", "row"],
  ["\u001B[A", "row"],
  ["\u001BOA", "row"],
  ["b", "page"],
  ["\u001B[5~", "page"],
  ["\u0002", "page"],
  ["u", "half"],
  ["\u0015", "half"],
]);

export const toStart: ReadonlySet<string> = new Set(["g", "<", "\u001B[H", "\u001B[1~"]);
export const toEnd: ReadonlySet<string> = new Set(["G", ">", "\u001B[F", "\u001B[4~"]);

/** How many rows a key goes down, up where negative; undefined where it does not move. */
export function rowsToMove(
  key: string,
  page: number,
  given: number | undefined,
): number | undefined {
  const amounts = { row: 1, page, half: Math.ceil(page / 2) };
  const down = forward.get(key);
  if (down !== undefined) return given ?? amounts[down];
  const up = backward.get(key);
  return up === undefined ? undefined : -(given ?? amounts[up]);
}
