/** Ranges of versions in npm's notation: `^1.2`, `>=1 <3 || 5.x`, `1.2 - 2`. */
import {
  compareVersions,
  makeVersion,
  parseIdentifiers,
  parseVersion,
  type Version,
} from "./semver-version.ts";

/** Longer ranges, and ranges of more parts, are none. */
const LENGTH_LIMIT = 1024;

type Operator = ">" | ">=" | "<" | "<=" | "=";

interface Comparator {
  readonly operator: Operator;
  readonly version: Version;
}

/** Any of these sets; all of a set's comparators. An empty set takes every release. */
export type VersionRange = readonly (readonly Comparator[])[];

/** Undefined for what is no range: a tag, a URL. */
export function parseRange(text: string): VersionRange | undefined {
  if (text.length > LENGTH_LIMIT) return undefined;
  const sets: (readonly Comparator[])[] = [];
  for (const part of text.split("||")) {
    const set = parseSet(part.trim());
    if (set === undefined) return undefined;
    sets.push(set);
  }
  return sets;
}

/** Prereleases are taken only where a comparator names one of the same version, as node-semver has it. */
export function satisfies(version: string, range: VersionRange): boolean {
  const parsed = parseVersion(version);
  return parsed !== undefined && range.some((set) => isInSet(parsed, set));
}

function isInSet(version: Version, set: readonly Comparator[]): boolean {
  if (!set.every((one) => isTaken(version, one))) return false;
  if (version.prerelease.length === 0) return true;
  return set.some(
    ({ version: named }) =>
      named.prerelease.length > 0 &&
      named.major === version.major &&
      named.minor === version.minor &&
      named.patch === version.patch,
  );
}

function isTaken(version: Version, { operator, version: bound }: Comparator): boolean {
  const order = compareVersions(version, bound);
  switch (operator) {
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "=":
      return order === 0;
  }
}

const part =
  "[vV=\\s]*(\\d{1,16}|[xX*])(?:\\.(\\d{1,16}|[xX*])(?:\\.(\\d{1,16}|[xX*])(?:-?([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z.-]+)?)?)?";
const partial = new RegExp(`^${part}$`);
const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/;

interface Partial {
  readonly numbers: readonly (number | undefined)[];
  readonly prerelease: readonly (string | number)[];
}

function parseSet(text: string): readonly Comparator[] | undefined {
  if (text === "") return [];
  const range = hyphen.exec(text);
  if (range !== null) return parseHyphen(range[1] ?? "", range[2] ?? "");
  const words = text
    .replace(/(>=|<=|>|<|=|\^|~>|~)\s+/g, "$1")
    .split(/\s+/)
    .filter((word) => word !== "");
  const set: Comparator[] = [];
  for (const word of words) {
    const comparators = parseWord(word);
    if (comparators === undefined) return undefined;
    set.push(...comparators);
  }
  return set;
}

function parsePartial(text: string): Partial | undefined {
  const match = partial.exec(text);
  if (match === null) return undefined;
  const numbers = match
    .slice(1, 4)
    .map((one) => (/^\d+$/.test(one ?? "") ? Number(one) : undefined));
  const open = numbers.indexOf(undefined);
  return {
    numbers: open === -1 ? numbers : numbers.map((one, at) => (at < open ? one : undefined)),
    prerelease: open === -1 && match[4] !== undefined ? parseIdentifiers(match[4]) : [],
  };
}

/** A number behind an open place (`1.x.3`): only `^`, `~` and ranges with a hyphen take it. */
function hasHole(text: string): boolean {
  return /[xX*]\.\d/.test(text.replace(/[-+].*$/s, ""));
}

function parseHyphen(from: string, to: string): readonly Comparator[] | undefined {
  const [low, high] = [parsePartial(from), parsePartial(to)];
  if (low === undefined || high === undefined) return undefined;
  const start: Comparator[] =
    low.numbers[0] === undefined ? [] : [{ operator: ">=", version: lowest(low) }];
  if (high.numbers[0] === undefined) return start;
  return high.numbers[2] === undefined
    ? [...start, { operator: "<", version: afterPartial(high) }]
    : [...start, { operator: "<=", version: lowest(high) }];
}

function parseWord(word: string): readonly Comparator[] | undefined {
  const match = /^(>=|<=|>|<|=|\^|~>|~)?(.*)$/s.exec(word);
  const operator = match?.[1] ?? "";
  const version = parsePartial(match?.[2] ?? "");
  if (version === undefined) return undefined;
  if (!/^[~^]/.test(operator) && hasHole(match?.[2] ?? "")) return undefined;
  if (operator === "^") return caret(version);
  if (operator === "~" || operator === "~>") return tilde(version);
  if (operator === "" || operator === "=") return exactly(version);
  return bounded(operator, version);
}

/** Up to the next change of the first number that is not 0. */
function caret(version: Partial): readonly Comparator[] {
  const [major, minor, patch] = version.numbers;
  if (major === undefined) return [];
  const end: readonly [number, number, number] =
    major > 0 || minor === undefined
      ? [major + 1, 0, 0]
      : minor > 0 || patch === undefined
        ? [0, minor + 1, 0]
        : [0, 0, patch + 1];
  return between(lowest(version), end);
}

function tilde(version: Partial): readonly Comparator[] {
  const [major, minor] = version.numbers;
  if (major === undefined) return [];
  return between(lowest(version), minor === undefined ? [major + 1, 0, 0] : [major, minor + 1, 0]);
}

function exactly(version: Partial): readonly Comparator[] {
  if (version.numbers[0] === undefined) return [];
  if (version.numbers[2] !== undefined) return [{ operator: "=", version: lowest(version) }];
  return [
    { operator: ">=", version: lowest(version) },
    { operator: "<", version: afterPartial(version) },
  ];
}

function bounded(operator: string, version: Partial): readonly Comparator[] {
  const isWhole = version.numbers[2] !== undefined;
  if (version.numbers[0] === undefined)
    return operator === ">" || operator === "<" ? [nothing] : [];
  if (operator === ">")
    return isWhole
      ? [{ operator, version: lowest(version) }]
      : [{ operator: ">=", version: withoutZero(afterPartial(version)) }];
  if (operator === "<=")
    return isWhole
      ? [{ operator, version: lowest(version) }]
      : [{ operator: "<", version: afterPartial(version) }];
  if (operator === "<")
    return [{ operator, version: isWhole ? lowest(version) : withZero(lowest(version)) }];
  return [{ operator: ">=", version: lowest(version) }];
}

/** What no version meets. */
const nothing: Comparator = { operator: "<", version: makeVersion([0, 0, 0], [0]) };

function between(low: Version, end: readonly [number, number, number]): readonly Comparator[] {
  return [
    { operator: ">=", version: low },
    { operator: "<", version: makeVersion(end, [0]) },
  ];
}

function lowest({ numbers: [major = 0, minor = 0, patch = 0], prerelease }: Partial): Version {
  return makeVersion([major, minor, patch], prerelease);
}

/** The first version behind all that a partial one stands for, with its prereleases. */
function afterPartial({ numbers: [major = 0, minor] }: Partial): Version {
  return makeVersion(minor === undefined ? [major + 1, 0, 0] : [major, minor + 1, 0], [0]);
}

function withZero({ major, minor, patch }: Version): Version {
  return makeVersion([major, minor, patch], [0]);
}

function withoutZero({ major, minor, patch }: Version): Version {
  return makeVersion([major, minor, patch]);
}
