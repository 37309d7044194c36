// A directory a test may fill, removed when the test is over.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "agentos-mcp-package-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
