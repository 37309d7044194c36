/** unzip and zipinfo, told apart by argv[0]. */
import { encodeText, isKernelError, type Program } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { writeAll } from "../output.ts";
import { defineProgram, type Run } from "../program.ts";
import { findStat } from "../run-command.ts";
import { ZipExtraction } from "./extract-zip.ts";
import { listInfo, listLong, listShort, showZipName } from "./list-zip.ts";
import { NotZipError, ZipFile } from "./read-zip.ts";
import type { ZipEntry } from "./zip-entry.ts";

/** Info-ZIP's statuses. */
const WARNING = 1;
const NOT_FOUND = 9;
const NOT_MATCHED = 11;

const program = defineProgram(
  {
    name: "unzip",
    usage: ["[-Z] [OPTION]... FILE[.zip] [LIST]... [-x LIST]... [-d DIR]"],
    summary:
      "List, test and extract members of zip files. Encrypted members and methods other than stored\nand deflated are not supported.",
    options: [
      { short: "Z", help: "behave as zipinfo" },
      { short: "l", help: "list members" },
      { short: "v", help: "list members with more about each" },
      { short: "t", help: "test members" },
      { short: "p", help: "extract to standard output, data only" },
      { short: "c", help: "extract to standard output, with names" },
      { short: "d", value: "DIR", help: "extract into DIR" },
      { short: "x", help: "leave out the members that follow" },
      { short: "o", help: "overwrite without asking" },
      { short: "n", help: "never overwrite" },
      { short: "u", help: "extract only what is newer or missing" },
      { short: "f", help: "extract only what is newer" },
      { short: "j", help: "do not make directories" },
      { short: "q", help: "say less; twice, still less" },
      { short: "C", help: "match names without regard to case" },
      { short: "L", help: "make names lower case" },
      { short: "a", help: "accepted; texts stay as they are" },
      { short: "X", help: "accepted" },
      { short: "K", help: "keep setuid and setgid bits" },
      { short: "D", help: "accepted" },
      { short: "P", value: "PASSWORD", help: "refused for encrypted members" },
      { short: "1", help: "zipinfo: names only" },
      { short: "2", help: "zipinfo: names, header and totals as asked" },
      { short: "s", help: "zipinfo: the usual lines" },
      { short: "m", help: "zipinfo: accepted" },
      { short: "h", help: "zipinfo: the header" },
      { short: "T", help: "accepted" },
    ],
    refusal: 10,
    hint: () => "",
  },
  unzip,
);

/** Behind `-x` stand members to leave out, up to the next option. */
export const main: Program = (sys, argv) => program(sys, argv);

async function unzip(run: Run): Promise<number> {
  const [given, ...names] = run.operands;
  if (given === undefined) {
    run.out.addText(
      "Usage: unzip [-Z] [-opts[modifiers]] file[.zip] [list] [-x xlist] [-d exdir]\n",
    );
    return 0;
  }
  const path = await findPath(run, given);
  const isInfo = run.baseName === "zipinfo" || run.has("Z");
  let zip: ZipFile;
  try {
    if (path === undefined) return await sayMissing(run, given);
    zip = await ZipFile.open(run.sys, path);
  } catch (error) {
    if (error instanceof NotZipError) return sayNotZip(run, path ?? given);
    if (!isKernelError(error)) throw error;
    return sayMissing(run, given);
  }
  try {
    const { entries, unmatched } = selectEntries(run, zip, names);
    const status = isInfo
      ? showInfo(run, path, zip, entries)
      : await showOrExtract(run, path, zip, entries);
    if (run.has("l") || run.has("v"))
      return entries.length === 0 && names.length > 0 ? NOT_MATCHED : status;
    for (const name of unmatched) {
      await run.out.flush();
      await writeAll(run.sys, 2, encodeText(`caution: filename not matched:  ${name}\n`));
    }
    return unmatched.length > 0 && status <= WARNING ? NOT_MATCHED : status;
  } finally {
    await zip.close();
  }
}

async function findPath(run: Run, given: string): Promise<string | undefined> {
  for (const path of [given, `${given}.zip`, `${given}.ZIP`])
    if ((await findStat(run.sys, path))?.kind === "file") return path;
  return undefined;
}

async function sayMissing(run: Run, given: string): Promise<number> {
  await writeAll(
    run.sys,
    run.baseName === "zipinfo" ? 1 : 2,
    encodeText(`${run.baseName}:  cannot find or open ${given}, ${given}.zip or ${given}.ZIP.\n`),
  );
  return NOT_FOUND;
}

async function sayNotZip(run: Run, path: string): Promise<number> {
  if (!run.has("q") || run.baseName === "zipinfo") run.out.addText(`Archive:  ${path}\n`);
  await run.out.flush();
  const text = `  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.
${run.baseName}:  cannot find zipfile directory in one of ${path} or
        ${path}.zip, and cannot find ${path}.ZIP, period.
`;
  await writeAll(run.sys, 2, encodeText(text));
  return NOT_FOUND;
}

interface Selection {
  readonly entries: readonly ZipEntry[];
  readonly unmatched: readonly string[];
}

function selectEntries(run: Run, zip: ZipFile, names: readonly string[]): Selection {
  const ignoreCase = run.has("C");
  const excluded = listExcluded(run);
  const wanted = names.filter((name) => !excluded.includes(name));
  const make = (name: string): { readonly name: string; test: (text: string) => boolean } => {
    const pattern = compilePattern(name, { ignoreCase });
    return { name, test: (text) => text === name || pattern.test(text) };
  };
  const [tests, exclusions] = [wanted.map(make), excluded.map(make)];
  const entries = zip.entries.filter(
    ({ name }) =>
      (tests.length === 0 || tests.some(({ test }) => test(name))) &&
      !exclusions.some(({ test }) => test(name)),
  );
  const isFound = ({ test }: { test: (text: string) => boolean }): boolean =>
    zip.entries.some(({ name }) => test(name));
  return {
    entries,
    unmatched: tests.filter((one) => !isFound(one)).map(({ name }) => name),
  };
}

/** Operands behind `-x`, up to the next option. */
function listExcluded(run: Run): string[] {
  const excluded: string[] = [];
  let isBehind = false;
  let operands = 0;
  for (const [option, value] of run.options.sequence) {
    if (option === "") {
      operands += 1;
      if (isBehind && operands > 1) excluded.push(value);
    } else isBehind = option === "x";
  }
  return excluded;
}

function showInfo(run: Run, path: string, zip: ZipFile, entries: readonly ZipEntry[]): number {
  if (run.has("1") || run.has("2")) {
    for (const { name } of entries) run.out.addText(`${showZipName(name)}\n`);
    return 0;
  }
  const isPart = run.has("h") || run.has("t");
  const parts = {
    hasHeader: !run.has("t") || run.has("h"),
    hasEntries: !isPart,
    hasTotals: !run.has("h") || run.has("t"),
  };
  listInfo(run, path, zip, { entries, parts });
  return 0;
}

async function showOrExtract(
  run: Run,
  path: string,
  zip: ZipFile,
  entries: readonly ZipEntry[],
): Promise<number> {
  const quiet = run.options.all("q").length;
  const isListing = run.has("l") || (run.has("v") && !run.has("t"));
  if (!run.has("p") && quiet === 0) run.out.addText(`Archive:  ${path}\n`);
  let status = 0;
  if (zip.extraBytes > 0) {
    await run.out.flush();
    const fd = isListing ? 2 : 1;
    const text = `warning [${path}]:  ${zip.extraBytes} extra bytes at beginning or within zipfile\n  (attempting to process anyway)\n`;
    await writeAll(run.sys, fd, encodeText(text));
    status = WARNING;
  }
  if (zip.entries.length === 0) {
    await run.out.flush();
    await writeAll(run.sys, 2, encodeText(`warning [${path}]:  zipfile is empty\n`));
    return WARNING;
  }
  if (isListing) {
    if (run.has("v")) listLong(run, entries, quiet);
    else listShort(run, entries, quiet);
    return status;
  }
  return Math.max(status, await new ZipExtraction(run, zip, path).run(entries));
}
