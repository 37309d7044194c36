/** A zip file with entries added, replaced or deleted, written beside the old one and put in its place. */
import {
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_RDWR,
  type Sys,
} from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { type ByteStream, readStream } from "../archive/byte-reader.ts";
import { FormatError } from "../archive/gzip-format.ts";
import { type Output, writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { readAllBytes } from "../read-all.ts";
import type { Found } from "./collect-files.ts";
import type { ZipFile } from "./read-zip.ts";
import { type Source, ZipWriter } from "./write-zip.ts";
import { DEFLATED, type ZipEntry } from "./zip-entry.ts";
import { ZipFailure } from "./zip-failure.ts";

const BAD_FORMAT = 3;
const NOTHING = 12;
const CANNOT_CREATE = 15;

export interface ZipUpdate {
  readonly path: string;
  readonly old: ZipFile | undefined;
  readonly found: readonly Found[];
  readonly messages: Output;
}

export async function updateZip(
  run: Run,
  { path, old, found, messages }: ZipUpdate,
): Promise<void> {
  const level = readLevel(run);
  const suffixes = (run.options.get("suffixes") ?? "").split(/[:;,]/).filter((one) => one !== "");
  const totals = { size: 0, packed: 0 };
  await replaceZip(run, path, async (writer) => {
    const known = new Map(found.map((one) => [one.entry.name, one]));
    const add = async (one: Found, verb: string): Promise<void> => {
      const isStored = suffixes.some((suffix) => one.entry.name.endsWith(suffix));
      await addFile({ run, writer, messages, totals }, one, { verb, level: isStored ? 0 : level });
    };
    for (const entry of old?.entries ?? []) {
      const update = known.get(entry.name);
      known.delete(entry.name);
      if (old !== undefined && update === undefined) await writer.copy(old, entry);
      else if (update !== undefined)
        await add(update, run.has("freshen") ? "freshening" : "updating");
    }
    for (const one of known.values()) await add(one, "  adding");
  });
  if (run.has("verbose") && !run.has("quiet")) {
    const saved = percent(totals.size, totals.packed);
    messages.addText(
      `total bytes=${totals.size}, compressed=${totals.packed} -> ${saved}% savings\n`,
    );
  }
}

function readLevel(run: Run): number {
  return Number(run.options.order.findLast((name) => /^\d$/.test(name)) ?? 6);
}

interface Adding {
  readonly run: Run;
  readonly writer: ZipWriter;
  readonly messages: Output;
  readonly totals: { size: number; packed: number };
}

async function addFile(
  { run, writer, messages, totals }: Adding,
  { path, entry }: Found,
  { verb, level }: { readonly verb: string; readonly level: number },
): Promise<void> {
  if (!run.has("quiet")) messages.addText(`${verb}: ${entry.name}`);
  const stdin = path === undefined ? await readAllBytes(run.sys, 0) : undefined;
  const open = (): ByteStream =>
    stdin === undefined ? openData(run.sys, path ?? "", entry.kind) : one(stdin);
  const source: Source = { entry, level, open };
  let made: ZipEntry;
  try {
    made = await writer.add(source);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await messages.flush();
    throw new ZipFailure(`Could not read ${entry.name}: ${errorWords(error)}`, NOTHING);
  }
  totals.size += made.size;
  totals.packed += made.packedSize;
  if (run.has("quiet")) return;
  if (run.has("verbose")) messages.addText(`\t(in=${made.size}) (out=${made.packedSize})`);
  const saved = percent(made.size, made.packedSize);
  messages.addText(made.method === DEFLATED ? ` (deflated ${saved}%)\n` : " (stored 0%)\n");
}

function percent(size: number, packed: number): number {
  return size === 0 ? 0 : Math.round(((size - packed) / size) * 100);
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  if (bytes.length > 0) yield bytes;
}

async function* openData(
  sys: Sys,
  path: string,
  kind: string,
): AsyncGenerator<Uint8Array, void, void> {
  if (kind === "directory") return;
  if (kind === "symlink") {
    yield encodeText(await sys.readlink(path));
    return;
  }
  const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
  try {
    yield* readStream(sys, fd);
  } finally {
    await sys.close(fd);
  }
}

/** Writes to a file of another name first; `-` is fd 1. */
async function replaceZip(
  run: Run,
  path: string,
  write: (writer: ZipWriter) => Promise<void>,
): Promise<void> {
  const { sys } = run;
  if (path === "-") {
    const writer = new ZipWriter(sys, 1, true);
    await write(writer);
    await writer.finish();
    return;
  }
  const slash = path.lastIndexOf("/") + 1;
  const temporary = `${path.slice(0, slash)}zi${String(await sys.getpid()).padStart(6, "0")}`;
  const fd = await openTemporary(sys, temporary, path);
  try {
    const writer = new ZipWriter(sys, fd, false);
    await write(writer);
    await writer.finish();
    await sys.rename(temporary, path);
  } catch (error) {
    await sys.unlink(temporary);
    if (error instanceof FormatError)
      throw new ZipFailure(`Zip file structure invalid (${path})`, BAD_FORMAT);
    throw error;
  } finally {
    await sys.close(fd);
  }
}

async function openTemporary(sys: Sys, temporary: string, path: string): Promise<number> {
  try {
    return await sys.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new ZipFailure(`Could not create output file (${path})`, CANNOT_CREATE);
  }
}

export interface ZipDeletion {
  readonly path: string;
  readonly old: ZipFile | undefined;
  readonly names: readonly string[];
}

/** `zip -d`: entries that match go. Fails with a ZipFailure where none does. */
export async function deleteEntries(run: Run, { path, old, names }: ZipDeletion): Promise<number> {
  const patterns = names.map((name) => ({ name, pattern: compilePattern(name) }));
  const entries = old?.entries ?? [];
  for (const { name, pattern } of patterns) {
    if (entries.some((entry) => pattern.test(entry.name))) continue;
    await run.out.flush();
    await writeAll(run.sys, 1, encodeText(`\tzip warning: name not matched: ${name}\n`));
  }
  const isGone = (name: string): boolean => patterns.some(({ pattern }) => pattern.test(name));
  const kept = entries.filter(({ name }) => !isGone(name));
  if (old === undefined || kept.length === entries.length)
    throw new ZipFailure(`Nothing to do! (${path})`, NOTHING);
  for (const { name } of entries)
    if (isGone(name) && !run.has("quiet")) run.out.addText(`deleting: ${name}\n`);
  if (kept.length === 0) {
    await run.out.flush();
    await writeAll(run.sys, 1, encodeText("\tzip warning: zip file empty\n"));
  }
  await replaceZip(run, path, async (writer) => {
    for (const entry of kept) await writer.copy(old, entry);
  });
  return 0;
}
