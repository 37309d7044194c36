/** Builtins that compute one value from their input and arguments. */
import { getPath, hasKey } from "./access.ts";
import { negate, splitText, typeError } from "./arithmetic.ts";
import { mathFunctions } from "./builtin-math.ts";
import { textFunctions } from "./builtin-texts.ts";
import { compareValues } from "./compare.ts";
import * as containers from "./containers.ts";
import { breakDown, formatTime, makeTime, parseTime } from "./dates.ts";
import { formatWith } from "./formats.ts";
import { matchAll, namedCaptures } from "./regexp.ts";
import { deletePaths, setPath } from "./update.ts";
import { isArray, isNumber, isTrue, JqError, numberOf, typeOf, type Value } from "./value.ts";

export type Native = (input: Value, args: readonly Value[]) => Value;

/** By `name/arity`. All fail with a JqError. */
export const natives: ReadonlyMap<string, Native> = new Map<string, Native>([
  ["null/0", () => null],
  ["true/0", () => true],
  ["false/0", () => false],
  ["not/0", (input) => !isTrue(input)],
  ["type/0", (input) => typeOf(input)],
  ["length/0", containers.lengthOf],
  ["keys/0", (input) => containers.keysOf(input, true)],
  ["keys_unsorted/0", (input) => containers.keysOf(input, false)],
  ["has/1", (input, [key = null]) => hasKey(input, key)],
  ["contains/1", (input, [part = null]) => containers.contains(input, part)],
  ["add/0", containers.sum],
  ["sort/0", containers.sortValues],
  ["_sort_by_impl/1", (input, [keys = null]) => containers.sortBy(input, keys)],
  ["_group_by_impl/1", (input, [keys = null]) => containers.groupBy(input, keys)],
  [
    "_unique_by_impl/1",
    (input, [keys = null]) => containers.groupBy(input, keys).map(([first = null]) => first),
  ],
  ["unique/0", (input) => containers.groupBy(input, input).map(([first = null]) => first)],
  ["min/0", (input) => containers.extreme(input, input, -1)],
  ["max/0", (input) => containers.extreme(input, input, 1)],
  ["_min_by_impl/1", (input, [keys = null]) => containers.extreme(input, keys, -1)],
  ["_max_by_impl/1", (input, [keys = null]) => containers.extreme(input, keys, 1)],
  ["reverse/0", reverse],
  ["flatten/0", (input) => containers.flatten(input, 1e9)],
  ["flatten/1", (input, [depth = null]) => containers.flatten(input, needNumber(depth))],
  ["to_entries/0", containers.toEntries],
  ["from_entries/0", containers.fromEntries],
  ["transpose/0", containers.transpose],
  ["join/1", (input, [separator = null]) => containers.joinTexts(input, separator)],
  ["indices/1", (input, [part = null]) => containers.indices(input, part)],
  ["_indices/1", (input, [part = null]) => containers.indices(input, part)],
  ["bsearch/1", (input, [target = null]) => containers.binarySearch(input, target)],
  ["setpath/2", (input, [path = null, value = null]) => setPath(input, path, value)],
  ["delpaths/1", (input, [paths = null]) => deletePaths(input, paths)],
  ["_getpath/1", (input, [path = null]) => getPath(input, path)],
  ["toarray/0", (input) => (isArray(input) ? input : [input])],
  ["infinite/0", () => Number.POSITIVE_INFINITY],
  ["nan/0", () => Number.NaN],
  ["isinfinite/0", (input) => Math.abs(needNumber(input)) === Number.POSITIVE_INFINITY],
  ["isnan/0", (input) => Number.isNaN(needNumber(input))],
  ["isnormal/0", (input) => isNormal(needNumber(input))],
  [
    "isfinite/0",
    (input) => isNumber(input) && Math.abs(numberOf(input)) !== Number.POSITIVE_INFINITY,
  ],
  ["abs/0", abs],
  ["split/1", split],
  ["format/1", (input, [name = null]) => formatWith(typeof name === "string" ? name : "", input)],
  ["_match/3", matchAll],
  ["_capture/0", namedCaptures],
  ["gmtime/0", (input) => breakDown(input)],
  ["mktime/0", makeTime],
  ["timegm/0", makeTime],
  ["strptime/1", (input, [format = null]) => parseTime(input, format)],
  ["strftime/1", (input, [format = null]) => formatTime(input, format, "strftime/1")],
  ["have_literal_numbers/0", () => true],
  ["have_decnum/0", () => false],
  ["error/0", raise],
  ["error/1", (_input, [value = null]) => raise(value)],
  ["get_search_list/0", () => []],
  ...textFunctions(),
  ...mathFunctions(),
]);

function raise(value: Value): never {
  throw new JqError(value);
}

function needNumber(value: Value): number {
  if (!isNumber(value)) throw typeError(value, "number required");
  return numberOf(value);
}

function isNormal(number: number): boolean {
  return Number.isFinite(number) && Math.abs(number) >= 2.225_073_858_507_201_4e-308;
}

function abs(value: Value): Value {
  return compareValues(value, 0) < 0 ? negate(value) : value;
}

function reverse(value: Value): Value {
  if (value === null) return [];
  if (typeof value === "string") return [...value].toReversed().join("");
  if (!isArray(value)) throw new JqError(`Cannot reverse ${typeOf(value)}`);
  return value.toReversed();
}

function split(input: Value, [separator = null]: readonly Value[]): Value {
  if (typeof input !== "string" || typeof separator !== "string")
    throw new JqError("split input and separator must be strings");
  return splitText(input, separator);
}
