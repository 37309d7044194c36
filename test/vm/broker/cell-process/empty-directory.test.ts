import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeEmptyDirectory } from "../../../../src/vm/broker/cell-process/empty-directory.ts";

describe("makeEmptyDirectory", () => {
  let parent = "";

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "agentos-mcp-empty-test-"));
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it("makes a directory nobody can write to, and takes it again", () => {
    const path = makeEmptyDirectory(parent);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o500);
    expect(makeEmptyDirectory(parent)).toBe(path);
  });

  it("refuses a link to another directory", () => {
    const path = makeEmptyDirectory(parent);
    rmSync(path, { recursive: true });
    symlinkSync(tmpdir(), path);
    expect(() => makeEmptyDirectory(parent)).toThrow("must be an empty directory of this user");
  });

  it("refuses a file in its place", () => {
    const path = makeEmptyDirectory(parent);
    rmSync(path, { recursive: true });
    writeFileSync(path, "");
    expect(() => makeEmptyDirectory(parent)).toThrow();
  });
});
