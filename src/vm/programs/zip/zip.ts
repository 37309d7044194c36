import { decodeText, encodeText, type Program } from "../../../kernel/index.ts";
import { readOptions, UsageError } from "../options.ts";
import { Output, writeAll } from "../output.ts";
import { defineProgram, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import { findStat } from "../run-command.ts";
import { collectFiles, type Found } from "./collect-files.ts";
import { NotZipError, ZipFile } from "./read-zip.ts";
import { deleteEntries, updateZip } from "./update-zip.ts";
import { ZipFailure } from "./zip-failure.ts";
import { zipTable } from "./zip-table.ts";

/** Info-ZIP's statuses. */
const BAD_FORMAT = 3;
const NOTHING = 12;
const BAD_ARGUMENTS = 16;

const program = defineProgram(zipTable, async (run) => {
  try {
    return await zip(run);
  } catch (error) {
    if (!(error instanceof ZipFailure)) throw error;
    await run.out.flush();
    await writeAll(
      run.sys,
      run.operands[0] === "-" ? 2 : 1,
      encodeText(`\nzip error: ${error.message}\n`),
    );
    return error.status;
  }
});

export const main: Program = async (sys, argv) => {
  try {
    readOptions(zipTable, argv.slice(1));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const letter = /^invalid option -- '(.)'$/.exec(error.message)?.[1];
    const long = /^unrecognized option '--(.*)'$/.exec(error.message)?.[1];
    const what =
      letter === undefined
        ? long === undefined
          ? error.message
          : `long option '${long}' not supported`
        : `short option '${letter}' not supported`;
    await writeAll(sys, 1, encodeText(`\nzip error: Invalid command arguments (${what})\n`));
    return BAD_ARGUMENTS;
  }
  return program(sys, argv);
};

async function zip(run: Run): Promise<number> {
  const { target, names, includes, excludes } = await readLists(run);
  for (const option of ["encrypt", "password", "split-size", "archive-comment", "fix"])
    if (run.has(option))
      throw new ZipFailure(
        `Invalid command arguments (--${option} is not supported)`,
        BAD_ARGUMENTS,
      );
  const isStream = target === "-";
  const path =
    isStream || target.slice(target.lastIndexOf("/") + 1).includes(".") ? target : `${target}.zip`;
  const messages = isStream ? new Output(run.sys, 2) : run.out;
  const old = isStream ? undefined : await openOld(run, path);
  try {
    if (run.has("delete")) return await deleteEntries(run, { path, old, names });
    if (run.has("test") && names.length === 0) return await testZip(run, path, old);
    const found = await collectFiles(run, { names, includes, excludes }, messages);
    const status = await update(run, { path, old, found, messages });
    if (run.has("test") && status === 0 && !run.has("quiet"))
      messages.addText(`test of ${path} OK\n`);
    return status;
  } finally {
    await messages.flush();
    await old?.close();
  }
}

interface Update {
  readonly path: string;
  readonly old: ZipFile | undefined;
  readonly found: readonly Found[];
  readonly messages: Output;
}

async function update(run: Run, { path, old, found, messages }: Update): Promise<number> {
  const known = new Map(old?.entries.map((entry) => [entry.name, entry]));
  const isNewer = ({ entry }: Found): boolean => {
    const before = known.get(entry.name);
    return (
      before === undefined || Math.floor(entry.mtimeMs / 2000) > Math.floor(before.mtimeMs / 2000)
    );
  };
  const chosen = run.has("freshen")
    ? found.filter((one) => known.has(one.entry.name) && isNewer(one))
    : run.has("update")
      ? found.filter(isNewer)
      : found;
  if (chosen.length === 0) {
    if (found.length > 0) return NOTHING;
    throw new ZipFailure(`Nothing to do! (${path})`, NOTHING);
  }
  await updateZip(run, { path, old, found: chosen, messages });
  if (run.has("move")) await removeFiles(run, chosen);
  return 0;
}

async function removeFiles(run: Run, found: readonly Found[]): Promise<void> {
  for (const { path, entry } of found.toReversed())
    if (path !== undefined)
      await (entry.kind === "directory" ? run.sys.rmdir(path) : run.sys.unlink(path));
}

async function testZip(run: Run, path: string, old: ZipFile | undefined): Promise<number> {
  if (old === undefined) throw new ZipFailure(`Nothing to do! (${path})`, NOTHING);
  for (const entry of old.entries)
    for await (const piece of old.data(entry)) if (piece.length < 0) return BAD_FORMAT;
  run.out.addText(`test of ${path} OK\n`);
  return 0;
}

async function openOld(run: Run, path: string): Promise<ZipFile | undefined> {
  if ((await findStat(run.sys, path)) === undefined) return undefined;
  try {
    return await ZipFile.open(run.sys, path);
  } catch (error) {
    if (!(error instanceof NotZipError)) throw error;
    const lines = [
      "missing end signature--probably not a zip file (did you",
      "remember to use binary mode when you transferred it?)",
      "(if you are trying to read a damaged archive try -F)",
    ];
    const text = lines.map((line) => `\tzip warning: ${line}\n`).join("");
    await writeAll(run.sys, 1, encodeText(text));
    throw new ZipFailure(`Zip file structure invalid (${path})`, BAD_FORMAT);
  }
}

interface Lists {
  readonly target: string;
  readonly names: readonly string[];
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** Behind `-x` and `-i` stand patterns, up to the next option or a lone `@`. */
async function readLists(run: Run): Promise<Lists> {
  const lists: Record<"names" | "i" | "x", string[]> = { names: [], i: [], x: [] };
  let list: "names" | "i" | "x" = "names";
  let target: string | undefined;
  for (const [option, value] of run.options.sequence) {
    if (option === "") {
      if (value === "@" && list !== "names") list = "names";
      else if (target === undefined) target = value;
      else lists[list].push(value);
      continue;
    }
    list = option === "include" ? "i" : option === "exclude" ? "x" : "names";
    if (list !== "names" && value !== "") lists[list].push(value);
  }
  if (run.has("names-stdin")) lists.names.push(...(await readNames(run)));
  return { target: target ?? "-", names: lists.names, includes: lists.i, excludes: lists.x };
}

async function readNames(run: Run): Promise<string[]> {
  const text = decodeText(await readAllBytes(run.sys, 0));
  return text.split("\n").filter((name) => name !== "");
}
