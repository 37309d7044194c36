import { isKernelError, O_CLOEXEC, O_DIRECTORY, O_RDONLY } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";

/** The names in a directory that start with the word, sorted; none of one that cannot be read. */
export async function readNames(shell: Shell, path: string, word: string): Promise<string[]> {
  try {
    const fd = await shell.sys.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    try {
      return (await readAll(shell, fd)).filter((name) => name.startsWith(word)).toSorted();
    } finally {
      await shell.sys.close(fd);
    }
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return [];
  }
}

async function readAll({ sys }: Shell, fd: number): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const entries = await sys.readdir(fd);
    if (entries.length === 0) return names;
    for (const { name } of entries) names.push(name);
  }
}
