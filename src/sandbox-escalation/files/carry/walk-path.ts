import type { FileSystem, Inode } from "../../../kernel/index.ts";

/** What is at a path of a file system, links not followed. */
export async function findAt(files: FileSystem, path: string): Promise<Inode | undefined> {
  let at: Inode | undefined = files.root;
  for (const name of path.split("/")) {
    if (at?.kind !== "directory") return undefined;
    at = await files.lookup(at, name);
  }
  return at;
}
