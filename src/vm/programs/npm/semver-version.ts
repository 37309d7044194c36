/** Versions as semver 2.0.0 has them (https://semver.org). */

/** Longer texts are no version, as node-semver has it. */
const LENGTH_LIMIT = 256;

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: readonly (string | number)[];
  /** Without build metadata. */
  readonly text: string;
}

const numeric = "(?:0|[1-9]\\d{0,15})";
const identifier = `(?:${numeric}|\\d{0,255}[A-Za-z-][A-Za-z0-9-]{0,255})`;
const pattern = new RegExp(
  `^[v=\\s]*(${numeric})\\.(${numeric})\\.(${numeric})(?:-(${identifier}(?:\\.${identifier})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

export function parseVersion(text: string): Version | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LENGTH_LIMIT) return undefined;
  const match = pattern.exec(trimmed);
  if (match === null) return undefined;
  const [, major = "", minor = "", patch = "", prerelease] = match;
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  if (numbers.some((one) => one > Number.MAX_SAFE_INTEGER)) return undefined;
  return makeVersion(numbers, prerelease === undefined ? [] : parseIdentifiers(prerelease));
}

export function parseIdentifiers(text: string): (string | number)[] {
  return text.split(".").map((one) => (/^\d{1,15}$/.test(one) ? Number(one) : one));
}

export function makeVersion(
  [major, minor, patch]: readonly [number, number, number],
  prerelease: readonly (string | number)[] = [],
): Version {
  const tail = prerelease.length === 0 ? "" : `-${prerelease.join(".")}`;
  return { major, minor, patch, prerelease, text: `${major}.${minor}.${patch}${tail}` };
}

/** By precedence, semver's §11. */
export function compareVersions(a: Version, b: Version): number {
  return (
    Math.sign(a.major - b.major) ||
    Math.sign(a.minor - b.minor) ||
    Math.sign(a.patch - b.patch) ||
    comparePrerelease(a.prerelease, b.prerelease)
  );
}

function comparePrerelease(
  a: readonly (string | number)[],
  b: readonly (string | number)[],
): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one, other] = [a[at], b[at]];
    if (one === undefined) return -1;
    if (other === undefined) return 1;
    const order = compareIdentifiers(one, other);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(a: string | number, b: string | number): number {
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

const releases = [
  "major",
  "minor",
  "patch",
  "premajor",
  "preminor",
  "prepatch",
  "prerelease",
] as const;

export type Release = (typeof releases)[number];

export function findRelease(word: string): Release | undefined {
  return releases.find((one) => one === word);
}

/** The next version of a kind; `preid` names prereleases. */
export function incrementVersion(version: Version, release: Release, preid: string): Version {
  const { major, minor, patch, prerelease } = version;
  const first = preid === "" ? [0] : [preid, 0];
  const isPre = prerelease.length > 0;
  switch (release) {
    case "major":
      return makeVersion([isPre && minor === 0 && patch === 0 ? major : major + 1, 0, 0]);
    case "minor":
      return makeVersion([major, isPre && patch === 0 ? minor : minor + 1, 0]);
    case "patch":
      return makeVersion([major, minor, isPre ? patch : patch + 1]);
    case "premajor":
      return makeVersion([major + 1, 0, 0], first);
    case "preminor":
      return makeVersion([major, minor + 1, 0], first);
    case "prepatch":
      return makeVersion([major, minor, patch + 1], first);
    case "prerelease":
      if (!isPre) return makeVersion([major, minor, patch + 1], first);
      return makeVersion([major, minor, patch], nextPrerelease(prerelease, preid));
  }
}

/** Raises the last number; another `preid` starts anew. */
function nextPrerelease(
  prerelease: readonly (string | number)[],
  preid: string,
): readonly (string | number)[] {
  const at = prerelease.findLastIndex((one) => typeof one === "number");
  const raised =
    at === -1
      ? [...prerelease, 0]
      : prerelease.map((one, place) => (place === at && typeof one === "number" ? one + 1 : one));
  if (preid === "") return raised;
  return prerelease[0] === preid && typeof raised[1] === "number" ? raised : [preid, 0];
}
