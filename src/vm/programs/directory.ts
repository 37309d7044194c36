/** Reading directories and walking below them. */
import {
  type DirectoryEntry,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Sys,
} from "../../kernel/index.ts";

const BATCH = 1024;

/** All names of a directory, without `.` and `..`, in the directory's order. */
export async function readDirectory(sys: Sys, path: string): Promise<DirectoryEntry[]> {
  const fd = await sys.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    const entries: DirectoryEntry[] = [];
    for (;;) {
      const batch = await sys.readdir(fd, BATCH);
      if (batch.length === 0) return entries;
      entries.push(...batch);
    }
  } finally {
    await sys.close(fd);
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
