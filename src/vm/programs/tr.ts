import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { parseSet, type TrSet } from "./tr-set.ts";

/** `tr` works on bytes, as GNU's does. */
export const main = defineProgram(
  {
    name: "tr",
    usage: ["[OPTION]... STRING1 [STRING2]"],
    summary:
      "Translate, squeeze, and/or delete characters from standard input,\nwriting to standard output.",
    options: [
      { short: "c", long: "complement", help: "use the complement of STRING1" },
      { short: "C", help: "same as -c" },
      { short: "d", long: "delete", help: "delete characters in STRING1, do not translate" },
      {
        short: "s",
        long: "squeeze-repeats",
        help: "replace each sequence of a repeated character\nthat is listed in the last specified STRING,\nwith a single occurrence of that character",
      },
      { short: "t", long: "truncate-set1", help: "first truncate STRING1 to length of STRING2" },
    ],
    stopsAtOperand: true,
  },
  async (run) => {
    const translation = await makeTranslation(run);
    const buffer = new Uint8Array(65_536);
    const { out } = run;
    const read = (): Promise<number> => run.readStdin(buffer);
    for (let count = await read(); count > 0; count = await read()) {
      const length = translation(buffer, count);
      await out.write(buffer.subarray(0, length));
    }
  },
);

/** Changes `count` bytes in place; answers how many are left. */
type Translation = (bytes: Uint8Array, count: number) => number;

async function makeTranslation(run: Run): Promise<Translation> {
  const isComplement = run.has("complement") || run.has("C");
  const [first, second, extra] = run.operands;
  const isDeleting = run.has("delete");
  const isSqueezing = run.has("squeeze-repeats");
  if (first === undefined) throw new UsageError("missing operand");
  if (second === undefined && !isDeleting && !isSqueezing) {
    throw new UsageError(
      `missing operand after ${quoteName(first)}\nTwo strings must be given when translating.`,
    );
  }
  if (second === undefined && isDeleting && isSqueezing) {
    throw new UsageError(
      `missing operand after ${quoteName(first)}\nTwo strings must be given when both deleting and squeezing repeats.`,
    );
  }
  if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
  if (second !== undefined && isDeleting && !isSqueezing) {
    throw new UsageError(
      `extra operand ${quoteName(second)}\nOnly one string may be given when deleting without squeezing repeats.`,
    );
  }
  const parsed1 = parseSet(first, 0);
  const set1 = isComplement ? complementOf(parsed1.bytes) : parsed1.bytes;
  const parsed2 = second === undefined ? undefined : parseSet(second, set1.length);
  for (const warning of [...parsed1.warnings, ...(parsed2?.warnings ?? [])])
    await run.warn(warning);
  if (parsed1.fills > 0) throw refused("the [c*] repeat construct may not appear in string1");
  const set2 = parsed2?.bytes;
  const isMapping = !isDeleting && parsed2 !== undefined && set2 !== undefined;
  if (isMapping) checkMapping(run, { ...parsed1, bytes: set1 }, parsed2);
  const map = isMapping ? makeMap(set1, set2, run.has("truncate-set1")) : undefined;
  const deleted = isDeleting ? membership(set1) : undefined;
  const squeezed = isSqueezing ? membership(set2 ?? set1) : undefined;
  return makeFilter({ map, deleted, squeezed });
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

/** What a second set may not be. `set1` is complemented already, with the classes it was made of. */
function checkMapping(run: Run, set1: TrSet, set2: TrSet): void {
  if (set2.fills > 1) throw refused("only one [c*] repeat construct may appear in string2");
  if (set2.hasEquivalence)
    throw refused("[=c=] expressions may not appear in string2 when translating");
  const isCase = ({ name }: { readonly name: string }): boolean =>
    name === "upper" || name === "lower";
  if (!set2.classes.every(isCase)) {
    throw refused(
      "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
    );
  }
  const isComplement = run.has("complement") || run.has("C");
  const isAligned = set2.classes.every(({ at }) =>
    set1.classes.some((one) => isCase(one) && one.at === at),
  );
  if (!isAligned && !isComplement) throw refused("misaligned [:upper:] and/or [:lower:] construct");
  const isTruncated = run.has("truncate-set1");
  if (set1.bytes.length > set2.bytes.length && !isTruncated) {
    if (set2.bytes.length === 0)
      throw refused("when not truncating set1, string2 must be non-empty");
    if (set2.endsWithClass) {
      throw refused(
        "when translating with string1 longer than string2,\nthe latter string must not end with a character class",
      );
    }
  }
  const isOne = new Set(set2.bytes).size <= 1;
  if (isComplement && set1.classes.length > 0 && !isOne) {
    throw refused(
      "when translating with complemented character classes,\nstring2 must map all characters in the domain to one",
    );
  }
}

interface Filter {
  readonly map: Uint8Array | undefined;
  readonly deleted: Uint8Array | undefined;
  readonly squeezed: Uint8Array | undefined;
}

function makeFilter({ map, deleted, squeezed }: Filter): Translation {
  let last = -1;
  return (bytes, count) => {
    let length = 0;
    for (let at = 0; at < count; at++) {
      let byte = bytes[at] ?? 0;
      if (deleted?.[byte] === 1) continue;
      if (map !== undefined) byte = map[byte] ?? byte;
      if (squeezed?.[byte] === 1 && byte === last) continue;
      last = byte;
      bytes[length] = byte;
      length += 1;
    }
    return length;
  };
}

function complementOf(set: readonly number[]): number[] {
  const has = new Set(set);
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !has.has(byte));
}

function membership(set: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of set) table[byte] = 1;
  return table;
}

/** A shorter second set goes on with its last member. */
function makeMap(
  set1: readonly number[],
  set2: readonly number[],
  isTruncated: boolean,
): Uint8Array {
  const map = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [at, byte] of set1.entries()) {
    if (isTruncated && at >= set2.length) break;
    map[byte] = set2[at] ?? set2.at(-1) ?? byte;
  }
  return map;
}
