import type { CopyPlan } from "./dd-copy.ts";
import { UsageError } from "./options.ts";
import { quoteName } from "./program.ts";

const units = new Map([
  ["c", 1],
  ["w", 2],
  ["b", 512],
  ["kB", 1000],
  ["KB", 1000],
  ["K", 1024],
  ["k", 1024],
  ["KiB", 1024],
  ["MB", 1000 ** 2],
  ["M", 1024 ** 2],
  ["MiB", 1024 ** 2],
  ["xM", 1024 ** 2],
  ["GB", 1000 ** 3],
  ["G", 1024 ** 3],
  ["GiB", 1024 ** 3],
  ["TB", 1000 ** 4],
  ["T", 1024 ** 4],
  ["TiB", 1024 ** 4],
  ["B", 1],
]);

const conversionNames = new Set([
  "ascii",
  "ebcdic",
  "ibm",
  "block",
  "unblock",
  "lcase",
  "ucase",
  "sparse",
  "swab",
  "sync",
  "excl",
  "nocreat",
  "notrunc",
  "noerror",
  "fdatasync",
  "fsync",
]);
const flagNames = new Set([
  "append",
  "direct",
  "directory",
  "dsync",
  "sync",
  "fullblock",
  "nonblock",
  "noatime",
  "nocache",
  "noctty",
  "nofollow",
  "count_bytes",
  "skip_bytes",
  "seek_bytes",
]);
/** Of one block: what a program may hold. */
const BLOCK_LIMIT = 64 * 1024 * 1024;

/** What the `name=value` words ask for. Fails with a UsageError in GNU's words. */
export function readPlan(operands: readonly string[]): CopyPlan {
  const given = new Map<string, string>();
  for (const operand of operands) {
    const at = operand.indexOf("=");
    const name = at === -1 ? operand : operand.slice(0, at);
    if (at === -1 || !operandNames.has(name))
      throw new UsageError(`unrecognized operand ${quoteName(operand)}`);
    given.set(aliases.get(name) ?? name, operand.slice(at + 1));
  }
  return makePlan(given);
}

const operandNames = new Set([
  "bs",
  "cbs",
  "conv",
  "count",
  "ibs",
  "if",
  "iflag",
  "obs",
  "of",
  "oflag",
  "seek",
  "oseek",
  "skip",
  "iseek",
  "status",
]);
const aliases = new Map([
  ["oseek", "seek"],
  ["iseek", "skip"],
]);

function makePlan(given: ReadonlyMap<string, string>): CopyPlan {
  const inputFlags = readNames(given.get("iflag"), flagNames, "input flag");
  const outputFlags = readNames(given.get("oflag"), flagNames, "output flag");
  const conversions = readNames(given.get("conv"), conversionNames, "conversion");
  refuseTogether(conversions);
  const bs = blockSize(given.get("bs"));
  const inputBytes = bs ?? blockSize(given.get("ibs")) ?? 512;
  const outputBytes = bs ?? blockSize(given.get("obs")) ?? 512;
  const inBytes = (name: string, flag: string, flags: ReadonlySet<string>): boolean =>
    flags.has(flag) || given.get(name)?.endsWith("B") === true;
  const skip = readNumber(given.get("skip") ?? "0");
  const seek = readNumber(given.get("seek") ?? "0");
  const count = given.get("count");
  return {
    from: given.get("if"),
    to: given.get("of"),
    inputBytes,
    outputBytes,
    lineBytes: given.has("cbs") ? readNumber(given.get("cbs") ?? "") : 0,
    isOneBlock: bs !== undefined && [...conversions].every((name) => !altering.has(name)),
    skipBytes: inBytes("skip", "skip_bytes", inputFlags) ? skip : skip * inputBytes,
    seekBytes: inBytes("seek", "seek_bytes", outputFlags) ? seek : seek * outputBytes,
    count: count === undefined ? undefined : readNumber(count),
    countsBytes: inBytes("count", "count_bytes", inputFlags),
    conversions,
    inputFlags,
    outputFlags,
    status: readStatus(given.get("status")),
  };
}

/** Conversions for which `bs=` does not mean that each block is written as it was read. */
const altering = new Set(["block", "unblock", "lcase", "ucase", "swab", "ascii", "ebcdic", "ibm"]);

function refuseTogether(conversions: ReadonlySet<string>): void {
  for (const [one, other] of [
    ["lcase", "ucase"],
    ["block", "unblock"],
    ["excl", "nocreat"],
  ] as const) {
    if (conversions.has(one) && conversions.has(other))
      throw new UsageError(`cannot combine ${one} and ${other}`, { hasHint: false });
  }
}

function blockSize(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const size = readNumber(text);
  if (size === 0) throw new UsageError(`invalid number: ${quoteName(text)}`, { hasHint: false });
  if (size > BLOCK_LIMIT)
    throw new UsageError(
      `memory exhausted by input buffer of size ${size} bytes (${Math.round(size / 1024 ** 2)} MiB)`,
      { hasHint: false },
    );
  return size;
}

/** `2x512`, `1M`, `10B`. */
function readNumber(text: string): number {
  let product = 1;
  for (const part of text.split("x")) {
    const match = /^(0x[\da-f]+|\d+)([A-Za-z]*)$/i.exec(part);
    const unit = match?.[2] === "" ? 1 : units.get(match?.[2] ?? "none");
    if (match === null || unit === undefined)
      throw new UsageError(`invalid number: ${quoteName(text)}`, { hasHint: false });
    product *= Number(match[1]) * unit;
  }
  if (product > Number.MAX_SAFE_INTEGER)
    throw new UsageError(
      `invalid number: ${quoteName(text)}: Value too large for defined data type`,
      { hasHint: false },
    );
  return product;
}

function readNames(
  text: string | undefined,
  known: ReadonlySet<string>,
  what: string,
): ReadonlySet<string> {
  const names = text === undefined ? [] : text.split(",");
  const bad = names.find((name) => !known.has(name));
  if (bad !== undefined) throw new UsageError(`invalid ${what}: ${quoteName(bad)}`);
  return new Set(names);
}

function readStatus(text: string | undefined): CopyPlan["status"] {
  if (text === undefined || text === "none" || text === "noxfer" || text === "progress")
    return text ?? "all";
  throw new UsageError(`invalid status level: ${quoteName(text)}`);
}
