/**
 * Lines that are left out before two files are compared: those the other file has none of, and, among
 * them, those it has too many of to tell anything. This is GNU diff's way, so hunks come out the same.
 */

/** 0 stays, 1 has no match, 2 has too many. */
const STAYS = 0;
const UNMATCHED = 1;
const COMMON = 2;

/** Which lines to leave out, a 1 each, given each line's class and how often the other file has each. */
export function chooseDiscards(classes: Int32Array, others: Int32Array): Uint8Array {
  const discards = markDiscards(classes, others);
  for (let at = 0; at < discards.length; at++) {
    if (discards[at] === COMMON) discards[at] = STAYS;
    else if (discards[at] === UNMATCHED) at = settleRun(discards, at);
  }
  return discards;
}

function markDiscards(classes: Int32Array, others: Int32Array): Uint8Array {
  const discards = new Uint8Array(classes.length);
  let many = 5;
  for (let rest = (classes.length >> 6) >> 2; rest > 0; rest >>= 2) many *= 2;
  for (let at = 0; at < classes.length; at++) {
    const matches = others[classes[at] ?? 0] ?? 0;
    if (matches === 0) discards[at] = UNMATCHED;
    else if (matches > many) discards[at] = COMMON;
  }
  return discards;
}

/** Settles the run of discards that starts here, and answers its last line. */
function settleRun(discards: Uint8Array, start: number): number {
  let end = start;
  let common = 0;
  for (; end < discards.length && discards[end] !== STAYS; end++)
    if (discards[end] === COMMON) common += 1;
  for (; end > start && discards[end - 1] === COMMON; end--, common--) discards[end - 1] = STAYS;
  const length = end - start;
  if (common * 4 > length) {
    for (let at = start; at < end; at++) if (discards[at] === COMMON) discards[at] = STAYS;
    return start;
  }
  keepLongRuns(discards, start, length);
  keepNearEdge(discards, { start, length, step: 1 });
  keepNearEdge(discards, { start: start + length - 1, length, step: -1 });
  return start + length - 1;
}

/** Common lines that follow one another, about the root of a quarter of the run, stay. */
function keepLongRuns(discards: Uint8Array, start: number, length: number): void {
  let minimum = 1;
  for (let rest = (length >> 2) >> 2; rest > 0; rest >>= 2) minimum <<= 1;
  minimum += 1;
  for (let at = 0, run = 0; at < length; at++) {
    if (discards[start + at] !== COMMON) run = 0;
    else {
      run += 1;
      if (run === minimum) at -= run;
      else if (run > minimum) discards[start + at] = STAYS;
    }
  }
}

interface Edge {
  readonly start: number;
  readonly length: number;
  readonly step: 1 | -1;
}

/** From an edge up to three unmatched lines in a row, or the first after eight, common lines stay. */
function keepNearEdge(discards: Uint8Array, { start, length, step }: Edge): void {
  for (let at = 0, run = 0; at < length; at++) {
    const place = start + at * step;
    if (at >= 8 && discards[place] === UNMATCHED) return;
    if (discards[place] === UNMATCHED) run += 1;
    else {
      run = 0;
      discards[place] = STAYS;
    }
    if (run === 3) return;
  }
}
