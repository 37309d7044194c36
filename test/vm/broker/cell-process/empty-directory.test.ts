import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

  it.each<[string, (path: string) => void]>([
    ["a link to another directory", (path) => symlinkSync(tmpdir(), path)],
    ["a link that leads nowhere", (path) => symlinkSync("/no/such/place", path)],
    ["a file", (path) => writeFileSync(path, "")],
    ["a directory with something in it", (path) => mkdirSync(join(path, "x"), { recursive: true })],
    ["a directory others write to", (path) => mkdirSync(path, { mode: 0o777 })],
    ["another user's directory", takeBySomebodyElse],
  ])("does without the name where %s has it", (_what, squat) => {
    const taken = makeEmptyDirectory(parent);
    rmSync(taken, { recursive: true });
    squat(taken);
    const path = makeEmptyDirectory(parent);
    expect(path.startsWith(`${taken}-`)).toBe(true);
    expect([statSync(path).uid, readdirSync(path)]).toEqual([process.getuid?.(), []]);
  });
});

/** Only root can play another user; who is not root leaves a directory that is not empty. */
function takeBySomebodyElse(path: string): void {
  mkdirSync(path, { mode: 0o500 });
  if (process.getuid?.() === 0) chownSync(path, 12_345, 12_345);
  else chmodSync(path, 0o700);
}
