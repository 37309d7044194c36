// The working directory of every cell: empty, not writable, the same for all of them.
import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates the directory, or takes the one that is there if it is ours and empty. Throws otherwise. */
export function makeEmptyDirectory(parent: string = tmpdir()): string {
  const uid = process.getuid?.();
  const path = join(parent, `agentos-mcp-empty-${uid ?? "user"}`);
  mkdirSync(path, { recursive: true, mode: 0o500 });
  const stats = lstatSync(path);
  if (
    !stats.isDirectory() ||
    (uid !== undefined && stats.uid !== uid) ||
    readdirSync(path).length > 0
  ) {
    throw new Error(`${path} must be an empty directory of this user; remove it and start again`);
  }
  return path;
}
