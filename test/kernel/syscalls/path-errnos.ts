import { describe, expect, it } from "vitest";
import { O_DIRECTORY, O_RDONLY, R_OK } from "../../../src/kernel/abi/open-flags.ts";
import type { PathArg } from "../../../src/kernel/permissions/check-path.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import type { SyscallName } from "../../../src/kernel/syscalls/table.ts";
import { bootObserved, expectErrno } from "../../support/syscall-coverage.ts";
import { ROOT, type Step, USER, writeText } from "../../support/test-kernel.ts";

type PathCall = (sys: Sys, path: PathArg) => Promise<unknown>;

const clone: PathCall = (sys, cwd) => sys.clone(async () => 0, { cwd });

/** Every way a call takes a path, once for each of its paths. */
const pathCalls: readonly (readonly [SyscallName, string, PathCall])[] = [
  ["open", "", (sys, path) => sys.open(path, O_RDONLY)],
  ["truncate", "", (sys, path) => sys.truncate(path, 0)],
  ["mkdir", "", (sys, path) => sys.mkdir(path)],
  ["rmdir", "", (sys, path) => sys.rmdir(path)],
  ["unlink", "", (sys, path) => sys.unlink(path)],
  ["rename", " from", (sys, path) => sys.rename(path, "/tmp/new")],
  ["rename", " to", (sys, path) => sys.rename("/tmp/file", path)],
  ["link", " from", (sys, path) => sys.link(path, "/tmp/new")],
  ["link", " to", (sys, path) => sys.link("/tmp/file", path)],
  ["symlink", "", (sys, path) => sys.symlink("target", path)],
  ["readlink", "", (sys, path) => sys.readlink(path)],
  ["mknod", "", (sys, path) => sys.mknod(path, "fifo")],
  ["stat", "", (sys, path) => sys.stat(path)],
  ["lstat", "", (sys, path) => sys.lstat(path)],
  ["access", "", (sys, path) => sys.access(path, R_OK)],
  ["statfs", "", (sys, path) => sys.statfs(path)],
  ["chmod", "", (sys, path) => sys.chmod(path, 0o600)],
  ["chown", "", (sys, path) => sys.chown(path, -1, -1)],
  ["lchown", "", (sys, path) => sys.lchown(path, -1, -1)],
  ["utimes", "", (sys, path) => sys.utimes(path, { mtimeMs: "now" })],
  ["chdir", "", (sys, path) => sys.chdir(path)],
  ["mount", " target", (sys, path) => sys.mount({ type: "memory", target: path })],
  ["mount", " source", (sys, path) => sys.mount({ type: "bind", target: "/tmp/d", source: path })],
  ["umount", "", (sys, path) => sys.umount(path)],
  ["inotifyAddWatch", "", (sys, path) => sys.inotifyAddWatch(0, path, 1)],
  ["spawn", "", (sys, path) => sys.spawn({ path, argv: ["x"] })],
  ["spawn", " cwd", (sys, path) => sys.spawn({ path: "/bin/true", argv: ["x"], cwd: path })],
  ["clone", " cwd", clone],
  ["exec", "", (sys, path) => sys.exec({ path, argv: ["x"] })],
];

export function describePathErrnos(): void {
  for (const [call, which, run] of pathCalls) {
    describe(`${call}${which}`, () => {
      it("fails as the walk does", () => failsAsTheWalk(call, run));
      it("fails with EACCES when the policy denies the path", () => failsByPolicy(call, run));
    });
  }
}

async function failsAsTheWalk(call: SyscallName, run: PathCall): Promise<void> {
  const test = await bootObserved({ programs: { true: async () => 0 } });
  await writeText(test.sys, "/tmp/file", "");
  await test.sys.mkdir("/tmp/d");
  await test.sys.mkdir("/tmp/closed", 0);
  await test.sys.symlink("loop", "/tmp/loop");
  const isForRoot = call === "mount" || call === "umount";
  const step: Step<void> = async (sys) => {
    // fd 0 serves inotifyAddWatch, fd 1 is a directory, fd 2 is none.
    await sys.inotifyInit();
    await sys.open("/tmp", O_RDONLY | O_DIRECTORY);
    const file = await sys.open("/tmp/file", O_RDONLY);
    await expectErrno(run(sys, ""), "ENOENT");
    await expectErrno(run(sys, "missing/x"), "ENOENT");
    await expectErrno(run(sys, { at: 1, path: "missing/x" }), "ENOENT");
    await expectErrno(run(sys, "file/x"), "ENOTDIR");
    await expectErrno(run(sys, { at: file, path: "x" }), "ENOTDIR");
    await expectErrno(run(sys, "loop/x"), "ELOOP");
    await expectErrno(run(sys, "n".repeat(256)), "ENAMETOOLONG");
    await expectErrno(run(sys, "é".repeat(128)), "ENAMETOOLONG");
    await expectErrno(run(sys, `${"./".repeat(2047)}xy`), "ENAMETOOLONG");
    await expectErrno(run(sys, "a\0b"), "EINVAL");
    await expectErrno(run(sys, { at: 77, path: "x" }), "EBADF");
    if (!isForRoot) await expectErrno(run(sys, "closed/x"), "EACCES");
    expect(await sys.getcwd()).toBe("/tmp");
  };
  await test.as(isForRoot ? ROOT : USER, step);
  expect(test.host.logged).toEqual([]);
}

async function failsByPolicy(_call: SyscallName, run: PathCall): Promise<void> {
  const rules = [{ mode: "deny", paths: ["/secret/**"] }] as const;
  const test = await bootObserved({
    permissions: { fs: { default: "allow", rules } },
    programs: { true: async () => 0 },
    files: [{ path: "/secret/d", kind: "directory", mode: 0o777 }],
  });
  await writeText(test.sys, "/tmp/file", "");
  await test.sys.mkdir("/tmp/d");
  await test.sys.symlink("/secret", "/tmp/way");
  await test.as(ROOT, async (sys) => {
    await sys.inotifyInit();
    for (const path of ["/secret/d", "/tmp/way/d", "way/../secret/d"]) {
      const error = await expectErrno(run(sys, path), "EACCES");
      expect(error.reason).toMatch(/^blocked by fs\.\w+ policy \(fs\.rules\[0\]\)$/);
      expect(error.subject).toBe("/secret/d");
    }
  });
}
