// The working directory of every cell: empty, not writable, the same for all of them.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creates the directory, or takes the one that is there if it is ours, empty and read-only. Where somebody else has
 * put something in its place, a directory with a name that nobody can foresee serves instead.
 */
export function makeEmptyDirectory(parent: string = tmpdir()): string {
  const uid = process.getuid?.();
  const path = join(parent, `agentos-mcp-empty-${uid ?? "user"}`);
  return makeDirectory(path) && isOurs(path, uid) ? path : mkdtempSync(`${path}-`);
}

/** Whether there is something with that name now. */
function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o500 });
    return true;
  } catch (error) {
    // A file, or a link that leads nowhere.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function isOurs(path: string, uid: number | undefined): boolean {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  if (uid === undefined) return readdirSync(path).length === 0;
  return stats.uid === uid && (stats.mode & 0o222) === 0 && readdirSync(path).length === 0;
}
