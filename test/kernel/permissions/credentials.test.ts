import { describe, expect, it } from "vitest";
import { R_OK, W_OK, X_OK } from "../../../src/kernel/abi/open-flags.ts";
import type { FileKind, Stat } from "../../../src/kernel/abi/stat.ts";
import {
  canAccess,
  isMember,
  makeCredentials,
  ROOT,
  requireAccess,
  requireUnsticky,
} from "../../../src/kernel/permissions/credentials.ts";

const user = makeCredentials(1000, 1000, [20]);

function file(mode: number, uid: number, gid: number, kind: FileKind = "file"): Stat {
  const times = { atimeMs: 0, mtimeMs: 0, ctimeMs: 0 };
  return { kind, mode, uid, gid, size: 0, nlink: 1, ino: 1, dev: 1, rdev: 0, blocks: 0, ...times };
}

describe("the mode of a file", () => {
  it("counts for the owner by its first digit alone, for the group by the second, else by the third", () => {
    expect(canAccess(user, file(0o077, 1000, 20), R_OK)).toBe(false);
    expect(canAccess(user, file(0o707, 0, 20), R_OK)).toBe(false);
    expect(canAccess(user, file(0o770, 0, 0), R_OK)).toBe(false);
    expect(canAccess(user, file(0o400, 1000, 0), R_OK)).toBe(true);
    expect(canAccess(user, file(0o040, 0, 20), R_OK)).toBe(true);
    expect(canAccess(user, file(0o040, 0, 1000), R_OK)).toBe(true);
    expect(canAccess(user, file(0o004, 0, 0), R_OK)).toBe(true);
  });

  it("must give everything that is wanted", () => {
    expect(canAccess(user, file(0o600, 1000, 0), R_OK | W_OK)).toBe(true);
    expect(canAccess(user, file(0o600, 1000, 0), R_OK | X_OK)).toBe(false);
    expect(canAccess(user, file(0, 1000, 0), 0)).toBe(true);
  });

  it("keeps root only from running what nobody may run", () => {
    expect(canAccess(ROOT, file(0, 1000, 1000), R_OK | W_OK)).toBe(true);
    expect(canAccess(ROOT, file(0o666, 1000, 1000), X_OK)).toBe(false);
    expect(canAccess(ROOT, file(0o001, 1000, 1000), X_OK)).toBe(true);
    expect(canAccess(ROOT, file(0, 1000, 1000, "directory"), X_OK)).toBe(true);
  });

  it("goes by the effective ids", () => {
    expect(canAccess({ ...user, euid: 7 }, file(0o400, 1000, 0), R_OK)).toBe(false);
    expect(canAccess({ ...user, euid: 7 }, file(0o400, 7, 0), R_OK)).toBe(true);
    expect(isMember({ ...user, egid: 7 }, 1000)).toBe(false);
    expect(isMember({ ...user, egid: 7 }, 7)).toBe(true);
  });

  it("fails a call with EACCES and the path", () => {
    expect(() => requireAccess(user, file(0, 0, 0), R_OK, "/x")).toThrow(
      expect.objectContaining({ message: "EACCES: /x: Permission denied" }),
    );
  });
});

describe("a sticky directory", () => {
  const sticky = file(0o1777, 0, 0, "directory");

  it("lets only the owners of file and directory, and root, remove a name", () => {
    const theirs = file(0o666, 1001, 0);
    expect(() => requireUnsticky(user, sticky, theirs, "/t/x")).toThrow(
      expect.objectContaining({ message: "EPERM: /t/x: Operation not permitted" }),
    );
    requireUnsticky(user, sticky, file(0, 1000, 0), "/t/x");
    requireUnsticky(user, { ...sticky, uid: 1000 }, theirs, "/t/x");
    requireUnsticky(user, { ...sticky, mode: 0o777 }, theirs, "/t/x");
    requireUnsticky(ROOT, sticky, theirs, "/t/x");
  });
});
