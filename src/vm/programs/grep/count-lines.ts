interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly delimiter: number;
}

/** How many lines a stretch of bytes holds; one without its delimiter at the end counts. */
export function countLines(bytes: Uint8Array, { from, to, delimiter }: Stretch): number {
  let count = bytes[to - 1] === delimiter ? 0 : 1;
  for (let at = from; at < to; at++) if (bytes[at] === delimiter) count += 1;
  return count;
}
