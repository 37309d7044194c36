import { describe, expect, it } from "vitest";
import { MemoryFileSystem } from "../../src/kernel/filesystems/memory-file-system.ts";
import { Policy } from "../../src/kernel/permissions/policy.ts";
import { HostError } from "../../src/vm/host-error.ts";
import { bootMount, checkMounts, type VmMount } from "../../src/vm/vm-mount.ts";

const fileSystem = new MemoryFileSystem({ now: () => 0 });

function problemOf(mounts: unknown): string {
  try {
    checkMounts(mounts as readonly VmMount[]);
    return "";
  } catch (error) {
    if (error instanceof HostError) return error.message;
    throw error;
  }
}

describe("checkMounts", () => {
  it("takes mounts at plain places", () => {
    expect(problemOf([])).toBe("");
    expect(
      problemOf([
        { at: "/sandbox", fileSystem },
        { at: "/a/b c/ü", fileSystem },
      ]),
    ).toBe("");
  });

  it.each([
    ["no list", { at: "/a" }, "a list of mounts"],
    [
      "too many",
      Array.from({ length: 17 }, (_, i) => ({ at: `/${i}`, fileSystem })),
      "more than 16",
    ],
    ["the root", [{ at: "/", fileSystem }], "absolute path"],
    ["a relative path", [{ at: "a", fileSystem }], "absolute path"],
    ["..", [{ at: "/a/../b", fileSystem }], "absolute path"],
    ["a slash at the end", [{ at: "/a/", fileSystem }], "absolute path"],
    ["a NUL", [{ at: "/a\0", fileSystem }], "absolute path"],
    ["a long name", [{ at: `/${"é".repeat(128)}`, fileSystem }], "absolute path"],
    ["no path", [{ fileSystem }], "absolute path"],
    ["the kernel's places", [{ at: "/proc/1", fileSystem }], "nothing can be mounted at /proc/1"],
    ["a link of the image", [{ at: "/bin", fileSystem }], "nothing can be mounted at /bin"],
    [
      "one place twice",
      [
        { at: "/a", fileSystem },
        { at: "/a", fileSystem },
      ],
      "two mounts go to /a",
    ],
    ["no file system", [{ at: "/a" }], "/a has no file system"],
    ["no time", [{ at: "/a", fileSystem, timeoutMs: 0 }], "timeoutMs of /a"],
    ["a wrong second place", [{ at: "/a", alsoAt: "b", fileSystem }], '"at" is an absolute path'],
    ["endless time", [{ at: "/a", fileSystem, timeoutMs: Infinity }], "timeoutMs of /a"],
  ])("refuses %s", (_, mounts, problem) => {
    expect(problemOf(mounts)).toContain(problem);
  });
});

describe("bootMount", () => {
  const policy = new Policy({ fs: "allow" });

  it("is read-only when either says so", () => {
    const readOnly = new MemoryFileSystem({ now: () => 0, isReadOnly: true });
    const isReadOnly = (mount: Omit<VmMount, "at">): boolean =>
      bootMount({ at: "/a", ...mount }, { taken: ["/a"], policy }).isReadOnly;
    expect(isReadOnly({ fileSystem })).toBe(false);
    expect(isReadOnly({ fileSystem, isReadOnly: true })).toBe(true);
    expect(isReadOnly({ fileSystem: readOnly })).toBe(true);
  });

  it.each([
    [[], "/b"],
    [["/bc", "/c/b"], "/b"],
    [["/b"], undefined],
    [["/b/c"], undefined],
  ])("has a second place unless %j are taken", (taken, second) => {
    const parts = { taken: ["/a", ...taken], policy };
    expect(bootMount({ at: "/a", alsoAt: "/b", fileSystem }, parts).alsoAt).toBe(second);
  });

  it.each([
    ["/b", undefined],
    ["/b/**", undefined],
    ["/a/secret", undefined],
    ["/**", "/b"],
    ["/c/**", "/b"],
  ])("has a second place unless a rule for %s tells the two apart", (path, second) => {
    const rules = [{ mode: "deny", operations: ["write"], paths: [path] }] as const;
    const parts = { taken: ["/a"], policy: new Policy({ fs: { default: "allow", rules } }) };
    expect(bootMount({ at: "/a", alsoAt: "/b", fileSystem }, parts).alsoAt).toBe(second);
  });
});
