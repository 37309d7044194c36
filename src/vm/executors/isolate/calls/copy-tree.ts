// Copies the content of a directory, as cpSyncCopyDir and CpDirJob of node_file.cc.
import {
  type DirectoryEntry,
  KernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Sys,
} from "../../../../kernel/index.ts";
import { flag, int, maybe, path } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { copyFile } from "./copy-file.ts";
import { copyLink } from "./copy-link.ts";
import { atPath, type CopyOptions, CopyStopped, inCall, statIfThere } from "./copy-steps.ts";

export const copyTreeCalls: Calls = {
  /** undefined when all is copied, else why not. */
  async copyTree({ sys }, args) {
    const from = path(args, 0);
    const to = path(args, 1);
    const options: CopyOptions = {
      force: flag(args, 2),
      dereference: flag(args, 3),
      errorOnExist: flag(args, 4),
      verbatimSymlinks: flag(args, 5),
      preserveTimestamps: flag(args, 6),
      isJob: flag(args, 7),
      mode: maybe(int, args, 8) ?? 0,
    };
    try {
      if (options.isJob) await inCall("mkdir", to, sys.mkdir(to, 0o777));
      else await atPath(to, makeDirectories(sys, to));
      await copyContent(sys, from, to, options);
      if (options.isJob) await atPath(to, finishDirectory(sys, from, to, options));
      return undefined;
    } catch (error) {
      if (error instanceof CopyStopped) return error.why;
      throw error;
    }
  },
};

async function makeDirectories(sys: Sys, name: string): Promise<void> {
  const stat = await statIfThere(sys, name);
  if (stat?.kind === "directory") return;
  if (stat !== undefined) throw new KernelError("ENOTDIR", name);
  const slash = name.replace(/\/+$/, "").lastIndexOf("/");
  if (slash > 0) await makeDirectories(sys, name.slice(0, slash));
  await sys.mkdir(name, 0o777);
}

async function copyContent(
  sys: Sys,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  for (const entry of await atPath(from, entriesOf(sys, from))) {
    await copyEntry(
      sys,
      { from: `${from}/${entry.name}`, to: `${to}/${entry.name}`, entry, folder: to },
      options,
    );
  }
}

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly entry: DirectoryEntry;
  /** The directory that is copied to; errors name it. */
  readonly folder: string;
}

async function copyEntry(sys: Sys, pair: Pair, options: CopyOptions): Promise<void> {
  const { from, to, entry, folder } = pair;
  if (entry.kind === "symlink") return copyLink(sys, pair, options);
  if (entry.kind === "directory") {
    if ((await statIfThere(sys, to)) === undefined) await atPath(folder, sys.mkdir(to, 0o777));
    await copyContent(sys, from, to, options);
    if (options.isJob) await atPath(to, finishDirectory(sys, from, to, options));
    return;
  }
  if (entry.kind === "file") return copyOne(sys, pair, options);
  if (!options.isJob) return;
  if (entry.kind === "device") return copyOne(sys, pair, options);
  throw new CopyStopped(["special", entry.kind, to]);
}

async function copyOne(sys: Sys, { from, to, folder }: Pair, options: CopyOptions): Promise<void> {
  const there = await statIfThere(sys, to);
  if (there !== undefined && !options.force) {
    if (!options.errorOnExist) return;
    const words = "[ERR_FS_CP_EEXIST]: Target already exists: cp returned EEXIST";
    throw new CopyStopped(["coded", "ERR_FS_CP_EEXIST", `${words} (${to} already exists)`]);
  }
  const copying = copyFile(sys, { from, to }, options.mode);
  await (options.isJob ? inCall("copyfile", to, copying) : atPath(folder, copying));
  if (options.preserveTimestamps) await atPath(to, copyTimes(sys, from, to));
}

async function finishDirectory(
  sys: Sys,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const { mode } = await sys.stat(from);
  await sys.chmod(to, mode);
  if (options.preserveTimestamps) await copyTimes(sys, from, to);
}

async function copyTimes(sys: Sys, from: string, to: string): Promise<void> {
  const { atimeMs, mtimeMs } = await sys.stat(from);
  await sys.utimes(to, { atimeMs, mtimeMs });
}

async function entriesOf(sys: Sys, directory: string): Promise<DirectoryEntry[]> {
  const fd = await sys.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    const all: DirectoryEntry[] = [];
    for (;;) {
      const entries = await sys.readdir(fd);
      if (entries.length === 0) return all;
      all.push(...entries);
    }
  } finally {
    await sys.close(fd);
  }
}
