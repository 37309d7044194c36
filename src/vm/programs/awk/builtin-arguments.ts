/** How many arguments each builtin function takes. */
const counts = new Map<string, readonly [least: number, most: number]>([
  ["length", [0, 1]],
  ["substr", [2, 3]],
  ["index", [2, 2]],
  ["split", [2, 4]],
  ["patsplit", [2, 4]],
  ["sub", [2, 3]],
  ["gsub", [2, 3]],
  ["gensub", [3, 4]],
  ["match", [2, 3]],
  ["sprintf", [1, Number.POSITIVE_INFINITY]],
  ["sin", [1, 1]],
  ["cos", [1, 1]],
  ["atan2", [2, 2]],
  ["exp", [1, 1]],
  ["log", [1, 1]],
  ["sqrt", [1, 1]],
  ["int", [1, 1]],
  ["rand", [0, 0]],
  ["srand", [0, 1]],
  ["tolower", [1, 1]],
  ["toupper", [1, 1]],
  ["system", [1, 1]],
  ["close", [1, 2]],
  ["fflush", [0, 1]],
  ["systime", [0, 0]],
  ["strftime", [0, 3]],
  ["mktime", [1, 2]],
  ["asort", [1, 3]],
  ["asorti", [1, 3]],
  ["strtonum", [1, 1]],
  ["and", [2, Number.POSITIVE_INFINITY]],
  ["or", [2, Number.POSITIVE_INFINITY]],
  ["xor", [2, Number.POSITIVE_INFINITY]],
  ["lshift", [2, 2]],
  ["rshift", [2, 2]],
  ["compl", [1, 1]],
  ["typeof", [1, 2]],
  ["isarray", [1, 1]],
  ["mkbool", [1, 1]],
]);

/** What is wrong with a call, in gawk's words. */
export function checkArguments(name: string, count: number): string | undefined {
  const [least, most] = counts.get(name) ?? [0, Number.POSITIVE_INFINITY];
  return count < least || count > most
    ? `${count} is invalid as number of arguments for ${name}`
    : undefined;
}
