import { asNumber, optionNumber, SIZE_SUFFIXES } from "../number-argument.ts";
import { type OptionRow, UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import { type Address, BlockWriter, makeAddress } from "./block-writer.ts";
import { CombinedInput } from "./combined-input.ts";
import { type FieldFormat, parseFormats } from "./field-formats.ts";
import { findStrings } from "./find-strings.ts";
import { readOldOffsets } from "./old-offsets.ts";

/** Letters that are short for a type. */
const shorthands: Readonly<Record<string, string>> = {
  a: "a",
  b: "o1",
  c: "c",
  d: "u2",
  f: "fF",
  i: "dI",
  l: "dL",
  o: "o2",
  s: "d2",
  x: "x2",
  B: "o2",
  D: "u4",
  e: "fD",
  F: "fD",
  H: "x4",
  X: "x4",
  h: "x2",
  I: "dL",
  L: "dL",
  O: "o4",
};

const options: readonly OptionRow[] = [
  { short: "A", long: "address-radix", value: "RADIX", help: "base of the offsets: d, o, x or n" },
  { long: "endian", value: "{big|little}", help: "swap input bytes to this order" },
  { short: "j", long: "skip-bytes", value: "BYTES", help: "skip BYTES of input first" },
  { short: "N", long: "read-bytes", value: "BYTES", help: "show no more than BYTES of input" },
  {
    short: "S",
    long: "strings",
    value: "BYTES",
    help: "show NUL terminated strings of at least BYTES characters",
  },
  {
    short: "t",
    long: "format",
    value: "TYPE",
    help: "how fields look: a, c, [doux][SIZE], f[SIZE];\na z behind it adds the text",
  },
  { short: "v", long: "output-duplicates", help: "do not write * for lines that repeat" },
  {
    short: "w",
    long: "width",
    value: "BYTES",
    isOptional: true,
    help: "bytes per line; 32 if BYTES is missing",
  },
  { long: "traditional", help: "take [+]OFFSET[.][b] operands" },
  ...Object.entries(shorthands).map(([short, type]) => ({ short, help: `same as -t ${type}` })),
];

export const main = defineProgram(
  {
    name: "od",
    usage: [
      "[OPTION]... [FILE]...",
      "--traditional [OPTION]... [FILE] [[+]OFFSET[.][b] [+][LABEL]]",
    ],
    summary: "Write an unambiguous representation of FILEs, octal by default.",
    options,
  },
  async (run) => {
    const wish = await readWish(run);
    if (wish === undefined) return 1;
    const input = new CombinedInput(run, wish.files);
    if (wish.limit !== undefined && !run.has("strings")) input.left = wish.skip + wish.limit;
    if (!(await input.start())) return run.status;
    // Deviation: od -j reads what it skips, also of a device, where GNU's seeks beyond any end.
    const skipped = await input.skip(wish.skip);
    if (!skipped) {
      await run.fail("cannot skip past end of combined input");
      return 1;
    }
    const least = run.options.get("strings");
    if (least !== undefined) await findStrings(run, input, wish.minimum, wish);
    else await dump(run, input, wish);
    return run.status;
  },
);

export interface OdWish {
  readonly files: readonly string[];
  readonly address: Address;
  readonly formats: readonly FieldFormat[];
  readonly skip: number;
  /** Bytes to show at most. */
  readonly limit: number | undefined;
  /** Least length of a string. */
  readonly minimum: number;
}

async function readWish(run: Run): Promise<OdWish | undefined> {
  const radix = run.options.get("address-radix") ?? "o";
  if (!/^[doxn]/.test(radix)) {
    throw new UsageError(
      `invalid output address radix '${radix.charAt(0)}'; it must be one character from [doxn]`,
      { hasHint: false },
    );
  }
  const number = (name: string): number | undefined => {
    const text = run.options.get(name);
    if (text === undefined) return undefined;
    const form = { suffixes: name === "width" ? "" : SIZE_SUFFIXES, hasBase: name !== "width" };
    return asNumber(optionNumber(run.options.spelling(name), text, form));
  };
  const skip = number("skip-bytes") ?? 0;
  const limit = number("read-bytes");
  const minimum = number("strings") ?? 3;
  checkEndian(run);
  const formats = await readFormats(run);
  if (formats === undefined) return undefined;
  if (formats.length > 0 && run.has("strings"))
    throw new UsageError("no type may be specified when dumping strings", { hasHint: false });
  const old = readOldOffsets(run);
  const address = makeAddress(radix.charAt(0), old?.label);
  return {
    files: old?.files ?? run.operands,
    address,
    formats: formats.length === 0 ? parseFormats("oS") : formats,
    skip: old?.skip ?? skip,
    limit,
    minimum,
  };
}

function checkEndian(run: Run): void {
  const endian = run.options.get("endian");
  if (
    endian === undefined ||
    ["little", "big"].some((one) => endian !== "" && one.startsWith(endian))
  )
    return;
  throw new UsageError(
    `invalid argument ${quoteText(endian)} for '--endian'\nValid arguments are:\n  - 'little'\n  - 'big'`,
  );
}

/** In the order given; each bad one is said, and makes all undefined. */
async function readFormats(run: Run): Promise<FieldFormat[] | undefined> {
  const formats: FieldFormat[] = [];
  const texts = [...run.options.all("format")];
  let isGood = true;
  for (const name of run.options.order) {
    const text = name === "format" ? texts.shift() : shorthands[name];
    if (text === undefined) continue;
    try {
      formats.push(...parseFormats(text));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      await run.fail(error.message);
      isGood = false;
    }
  }
  return isGood ? formats : undefined;
}

async function dump(run: Run, input: CombinedInput, wish: OdWish): Promise<void> {
  const multiple = wish.formats.reduce((least, { size }) => Math.max(least, size), 1);
  const width = await lineWidth(run, multiple);
  const writer = new BlockWriter(run, wish, width);
  let offset = wish.skip;
  let left = wish.limit ?? Number.POSITIVE_INFINITY;
  const line = new Uint8Array(width);
  const view = new DataView(line.buffer);
  while (left > 0) {
    const wanted = Math.min(width, left);
    const count = await input.fill(line.subarray(0, wanted));
    if (count === 0) break;
    line.fill(0, count);
    writer.write(view, offset, count);
    if (run.out.isFull) await run.out.flush();
    offset += count;
    left -= count;
    if (count < width) break;
  }
  run.out.addText(wish.address(offset, "\n"));
}

async function lineWidth(run: Run, multiple: number): Promise<number> {
  const usual = multiple < 16 ? multiple * Math.floor(16 / multiple) : multiple;
  const text = run.options.get("width");
  if (text === undefined) return usual;
  const spelling = run.options.spelling("width");
  const width = text === "" ? 32 : asNumber(optionNumber(spelling, text));
  if (width > 0 && width % multiple === 0) {
    if (width > 1 << 20) throw new UsageError("memory exhausted", { hasHint: false });
    return width;
  }
  await run.warn(`warning: invalid width ${width}; using ${multiple} instead`);
  return multiple;
}
