import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findUserNamespaceObstacle } from "../../../../src/sandbox-escalation/providers/local/local-host.ts";

const made: string[] = [];

function makeSettings(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "agentos-settings-"));
  made.push(directory);
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(join(directory, name, ".."), { recursive: true });
    writeFileSync(join(directory, name), `${value}\n`);
  }
  return directory;
}

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

describe("what forbids user namespaces", () => {
  it("is nothing where no setting does", () => {
    const settings = makeSettings({ "user/max_user_namespaces": "15000" });
    expect(findUserNamespaceObstacle(settings, false)).toBeUndefined();
  });

  it.each([
    ["user/max_user_namespaces", "0", /max_user_namespaces=15000/],
    ["kernel/unprivileged_userns_clone", "0", /unprivileged_userns_clone=1/],
    ["kernel/apparmor_restrict_unprivileged_userns", "1", /profile bwrap \/usr\/bin\/bwrap/],
  ])("is told with the exact fix: %s", (name, value, fix) => {
    const obstacle = findUserNamespaceObstacle(makeSettings({ [name]: value }), false);
    expect(obstacle?.fix).toMatch(fix);
  });

  it("does not hold root back, but for the first", () => {
    const closed = { "kernel/unprivileged_userns_clone": "0", "user/max_user_namespaces": "1" };
    expect(findUserNamespaceObstacle(makeSettings(closed), true)).toBeUndefined();
    const none = makeSettings({ "user/max_user_namespaces": "0" });
    expect(findUserNamespaceObstacle(none, true)?.reason).toMatch(/no user namespaces/);
  });
});
