// A directory that exists while `work` runs.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function withTemporaryDirectory<T>(
  work: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-package-")));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
