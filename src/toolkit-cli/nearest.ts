/** Words compared at most, and the length of those that are. */
const WORD_LIMIT = 2000;
const LENGTH_LIMIT = 64;

/** The known word that a mistyped one probably means; undefined where none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length < 3 || word.length > LENGTH_LIMIT) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.floor(word.length / 3) + 1;
  for (const candidate of known.slice(0, WORD_LIMIT)) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? known.find((candidate) => isPart(lower, candidate));
}

function isPart(word: string, candidate: string): boolean {
  const parts = candidate.toLowerCase().split(/[-.]/);
  return candidate.toLowerCase().startsWith(word) || parts.includes(word);
}

/** Damerau and Levenshtein's: letters inserted, deleted, replaced, or two swapped. */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return previous[other.length] ?? 0;
}
