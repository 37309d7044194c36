/** Reading directories and walking below them. */
import {
  type DirectoryEntry,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Sys,
} from "../../kernel/index.ts";

const BATCH = 1024;

/** Directories within each other that are held open: a process has not many descriptors. */
const HELD_DEPTH = 16;

/** A path as calls take it: from the working directory, or from the directory open at `at`. */
export type PathFrom = Parameters<Sys["lstat"]>[0];

/** All names of a directory, without `.` and `..`, in the directory's order. */
export async function readDirectory(sys: Sys, path: string): Promise<DirectoryEntry[]> {
  return withDirectory(sys, path, (fd) => readEntries(sys, fd));
}

/**
 * Calls back with each name of a directory and how it is reached: from the directory, which is held open, so that
 * the way to it is not walked for each name; or, `depth` directories down, by its path.
 */
export async function forEachEntry(
  sys: Sys,
  { path, depth }: { readonly path: string; readonly depth: number },
  step: (entry: DirectoryEntry, at: PathFrom) => Promise<void>,
  order: (entries: DirectoryEntry[]) => readonly DirectoryEntry[] = (entries) => entries,
): Promise<void> {
  if (depth >= HELD_DEPTH) {
    const entries = order(await readDirectory(sys, path));
    for (const entry of entries) await step(entry, joinPath(path, entry.name));
    return;
  }
  await withDirectory(sys, path, async (fd) => {
    const entries = order(await readEntries(sys, fd));
    for (const entry of entries) await step(entry, { at: fd, path: entry.name });
  });
}

async function withDirectory<T>(
  sys: Sys,
  path: string,
  step: (fd: number) => Promise<T>,
): Promise<T> {
  const fd = await sys.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    return await step(fd);
  } finally {
    await sys.close(fd);
  }
}

async function readEntries(sys: Sys, fd: number): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for (;;) {
    const batch = await sys.readdir(fd, BATCH);
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

/** `directory/name` with one slash. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? `${directory}${name}` : `${directory}/${name}`;
}

/** The last part of a path, as basename(1) has it. */
export function baseName(path: string): string {
  const trimmed = path.replace(/(.)\/+$/s, "$1");
  if (/^\/+$/.test(trimmed)) return "/";
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** Names by their code points, as the C locale sorts them. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where an operand goes: into a directory under its own name, or to the name given. */
export function targetPath(directory: string | undefined, operand: string, to: string): string {
  return directory === undefined ? to : joinPath(directory, baseName(operand));
}
