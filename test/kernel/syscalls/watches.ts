import { expect, it } from "vitest";
import {
  decodeInotify,
  IN_ACCESS,
  IN_ATTRIB,
  IN_CLOSE_NOWRITE,
  IN_CLOSE_WRITE,
  IN_CREATE,
  IN_DELETE,
  IN_IGNORED,
  IN_ISDIR,
  IN_MASK_CREATE,
  IN_MODIFY,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  IN_ONLYDIR,
  IN_OPEN,
} from "../../../src/kernel/abi/inotify.ts";
import { O_APPEND, O_CLOEXEC, O_NONBLOCK, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readText, writeText } from "../../support/test-kernel.ts";

export function describeWatches(): void {
  describeCall("inotifyInit", () => {
    it("gives an fd that has nothing to read", async () => {
      const test = await bootObserved({ limits: { maxOpenFds: 1 } });
      await test.asUser(async (sys) => {
        await expectErrno(sys.inotifyInit(O_APPEND), "EINVAL");
        const fd = await sys.inotifyInit(O_NONBLOCK | O_CLOEXEC);
        await expectErrno(sys.read(fd, new Uint8Array(100)), "EAGAIN");
        expect(await sys.fcntl(fd, { request: "F_GETFD" })).toBe(1);
        await expectErrno(sys.inotifyInit(), "EMFILE");
      });
    });
  });
  describeCall("inotifyAddWatch", () => {
    it("tells what happens in a directory, with names", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.mkdir("d");
        const fd = await sys.inotifyInit(O_NONBLOCK);
        const wd = await sys.inotifyAddWatch(fd, "d", 0xfff);
        await writeText(sys, "d/f", "x");
        await readText(sys, "d/f");
        await sys.chmod("d/f", 0o600);
        await sys.rename("d/f", "d/g");
        await sys.mkdir("d/sub");
        await sys.unlink("d/g");
        const events = await eventsOf(sys, fd);
        expect(events.map(({ mask, name }) => [mask, name])).toEqual([
          [IN_CREATE, "f"],
          [IN_OPEN, "f"],
          [IN_MODIFY, "f"],
          [IN_CLOSE_WRITE, "f"],
          [IN_OPEN, "f"],
          [IN_ACCESS, "f"],
          [IN_CLOSE_NOWRITE, "f"],
          [IN_ATTRIB, "f"],
          [IN_MOVED_FROM, "f"],
          [IN_MOVED_TO, "g"],
          [IN_CREATE | IN_ISDIR, "sub"],
          [IN_DELETE, "g"],
        ]);
        expect(new Set(events.map((event) => event.wd))).toEqual(new Set([wd]));
        expect(events[8]?.cookie).toBe(events[9]?.cookie);
      });
    });

    it("keeps watching a file under its new name", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        await sys.mkdir("d");
        await writeText(sys, "d/f", "");
        const file = await sys.open("d/f", 1);
        await sys.rename("d/f", "d/g");
        const fd = await sys.inotifyInit(O_NONBLOCK);
        await sys.inotifyAddWatch(fd, "d", IN_MODIFY);
        await sys.write(file, new Uint8Array(1));
        expect((await eventsOf(sys, fd)).map(({ name }) => name)).toEqual(["g"]);
      });
    });

    it("fails by what is watched, and at the limit", async () => {
      const test = await bootObserved({ limits: { maxWatches: 1 } });
      await writeText(test.sys, "/tmp/secret", "", 0o600);
      await test.asUser(async (sys) => {
        const fd = await sys.inotifyInit();
        await writeText(sys, "f", "");
        await expectErrno(sys.inotifyAddWatch(99, "f", IN_MODIFY), "EBADF");
        await expectErrno(sys.inotifyAddWatch((await sys.pipe())[0], "f", IN_MODIFY), "EINVAL");
        await expectErrno(sys.inotifyAddWatch(fd, "f", 0), "EINVAL");
        await expectErrno(sys.inotifyAddWatch(fd, "missing", IN_MODIFY), "ENOENT");
        await expectErrno(sys.inotifyAddWatch(fd, "f", IN_MODIFY | IN_ONLYDIR), "ENOTDIR");
        await expectErrno(sys.inotifyAddWatch(fd, "secret", IN_MODIFY), "EACCES");
        const wd = await sys.inotifyAddWatch(fd, "f", IN_MODIFY);
        expect(await sys.inotifyAddWatch(fd, "f", IN_OPEN)).toBe(wd);
        await expectErrno(sys.inotifyAddWatch(fd, "f", IN_MODIFY | IN_MASK_CREATE), "EEXIST");
        const { reason } = await expectErrno(sys.inotifyAddWatch(fd, "/tmp", IN_MODIFY), "ENOSPC");
        expect(reason).toBe("limit maxWatches is 1; raise limits.maxWatches of the VM");
      });
      expect(test.kernel.limits.used("maxWatches")).toBe(0);
    });
  });
  describeCall("inotifyRmWatch", () => {
    it("ends a watch, once", async () => {
      const test = await bootObserved();
      await test.asUser(async (sys) => {
        const fd = await sys.inotifyInit(O_NONBLOCK);
        const wd = await sys.inotifyAddWatch(fd, "/tmp", IN_CREATE);
        await sys.inotifyRmWatch(fd, wd);
        await writeText(sys, "f", "");
        expect(await eventsOf(sys, fd)).toEqual([{ wd, mask: IN_IGNORED, cookie: 0, name: "" }]);
        await expectErrno(sys.inotifyRmWatch(fd, wd), "EINVAL");
        await expectErrno(sys.inotifyRmWatch(99, wd), "EBADF");
        await expectErrno(sys.inotifyRmWatch(await sys.open("f", O_RDONLY), wd), "EINVAL");
      });
    });
  });
}

async function eventsOf(sys: Sys, fd: number) {
  const into = new Uint8Array(65_536);
  return decodeInotify(into.subarray(0, await sys.read(fd, into)));
}
