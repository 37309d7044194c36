import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { SandboxError } from "../../../../src/sandbox-escalation/provider.ts";
import { findUserNamespaceObstacle } from "../../../../src/sandbox-escalation/providers/local/local-host.ts";
import { explainRootFailure } from "../../../../src/sandbox-escalation/providers/local/writable-root/root-obstacle.ts";

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

describe("what forbids roots of their own", () => {
  const overlay =
    "The sandbox ended: sandbox-agent: cannot mount an overlay lowerdir=/tmp/c: errno";
  const explain = (words: string, files: Readonly<Record<string, string>>, kernel = "6.1.0") =>
    explainRootFailure(new SandboxError("failed", words), {
      settings: makeSettings(files),
      kernel,
      agent: "/opt/agent",
    });

  it.each([
    [
      { "kernel/apparmor_restrict_unprivileged_userns": "1" },
      "13",
      "6.8.0",
      /profile .* \/opt\/agent flags/,
    ],
    [{}, "1", "5.10.0-8", /need Linux 5\.11; this is 5\.10\.0-8/],
    [{}, "22", "6.1.0", /ext4, xfs or btrfs/],
  ])("is told with the remedy: %j, errno %s, Linux %s", (files, errno, kernel, remedy) => {
    const explained = explain(`${overlay} ${errno}`, files, kernel);
    expect(explained).toMatchObject({ code: "failed", message: expect.stringMatching(remedy) });
  });

  it("leaves other failures alone", () => {
    expect(explain("sh: tar: not a tar archive", {})).toMatchObject({
      message: "sh: tar: not a tar archive",
    });
    const gone = new SandboxError("gone", overlay);
    expect(explainRootFailure(gone)).toBe(gone);
  });
});
