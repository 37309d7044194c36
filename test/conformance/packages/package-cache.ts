// Where scripts/fetch-packages.mjs puts the packages that these tests run: outside the repository, in a
// folder named after the lock file, so that a changed lock is a new folder.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The package.json, the lock and one script for each package. */
export const fixtures: string = join(import.meta.dirname, "fixtures");

export function packageCache(): string {
  const given = process.env["AGENTOS_PACKAGES"];
  if (given !== undefined) return given;
  const lock = readFileSync(join(fixtures, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  return join(tmpdir(), `agentos-mcp-packages-${hash}`);
}
