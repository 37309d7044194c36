import {
  isKernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Sys,
} from "../../../../kernel/index.ts";

/** Directories deeper than this are left: ENAMETOOLONG of the paths comes first. */
const DEPTH_LIMIT = 2048;

/** Removes a name and, where it is a directory, everything in it. What is gone already is no error. */
export async function removeAll(sys: Sys, name: string, depth = 0): Promise<void> {
  try {
    const { kind } = await sys.lstat(name);
    if (kind !== "directory") return await sys.unlink(name);
    if (depth < DEPTH_LIMIT) await empty(sys, name, depth);
    await sys.rmdir(name);
  } catch (error) {
    if (!isKernelError(error, "ENOENT")) throw error;
  }
}

async function empty(sys: Sys, directory: string, depth: number): Promise<void> {
  for (const name of await namesIn(sys, directory)) {
    await removeAll(sys, `${directory}/${name}`, depth + 1);
  }
}

async function namesIn(sys: Sys, directory: string): Promise<string[]> {
  const fd = await sys.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    const names: string[] = [];
    for (;;) {
      const entries = await sys.readdir(fd);
      if (entries.length === 0) return names;
      for (const { name } of entries) names.push(name);
    }
  } finally {
    await sys.close(fd);
  }
}
