import { expect, it } from "vitest";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { USER } from "../../support/test-kernel.ts";

const noIds = [-1, 1.5, Number.NaN, 2 ** 32 - 1] as const;

export function describeIdentity(): void {
  describeCall("getcredentials", () => {
    it("tells all ids", async () => {
      const test = await bootObserved();
      const ids = { uid: 1000, euid: 1000, suid: 1000, gid: 1000, egid: 1000, sgid: 1000 };
      await test.asUser(async (sys) => {
        expect(await sys.getcredentials()).toEqual({ ...ids, groups: [1000] });
      });
    });
  });
  describeCall("setuid", () => {
    it("changes all ids of root for good, and only the effective one of others", async () => {
      const test = await bootObserved();
      await test.asRoot(async (sys) => {
        await sys.setuid(5);
        expect(await sys.getcredentials()).toMatchObject({ uid: 5, euid: 5, suid: 5 });
        await expectErrno(sys.setuid(0), "EPERM");
      });
      await test.as({ ...USER, euid: 7, suid: 7 }, async (sys) => {
        await sys.setuid(1000);
        expect(await sys.getcredentials()).toMatchObject({ uid: 1000, euid: 1000, suid: 7 });
        await sys.setuid(7);
        expect(await sys.getcredentials()).toMatchObject({ uid: 1000, euid: 7, suid: 7 });
        await expectErrno(sys.setuid(8), "EPERM");
        for (const id of noIds) await expectErrno(sys.setuid(id), "EINVAL");
      });
    });
  });
  describeCall("setgid", () => {
    it("changes all groups of root, and only the effective one of others", async () => {
      const test = await bootObserved();
      await test.asRoot(async (sys) => {
        await sys.setgid(5);
        expect(await sys.getcredentials()).toMatchObject({ gid: 5, egid: 5, sgid: 5 });
        await sys.setgid(0);
      });
      await test.as({ ...USER, egid: 7, sgid: 7 }, async (sys) => {
        await sys.setgid(1000);
        expect(await sys.getcredentials()).toMatchObject({ gid: 1000, egid: 1000, sgid: 7 });
        await expectErrno(sys.setgid(8), "EPERM");
        for (const id of noIds) await expectErrno(sys.setgid(id), "EINVAL");
      });
    });
  });
  describeCall("setgroups", () => {
    it("changes the groups of root, and of nobody else", async () => {
      const test = await bootObserved();
      await test.asRoot(async (sys) => {
        await sys.setgroups([1, 2, 3]);
        expect((await sys.getcredentials()).groups).toEqual([1, 2, 3]);
        await expectErrno(sys.setgroups([1, -1]), "EINVAL");
        await expectErrno(sys.setgroups(Array<number>(65).fill(1)), "EINVAL");
        expect((await sys.getcredentials()).groups).toEqual([1, 2, 3]);
      });
      await test.asUser((sys) => expectErrno(sys.setgroups([1000]), "EPERM"));
    });
  });
}
