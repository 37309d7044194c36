import { describe, expect, it } from "vitest";
import { O_CREAT, O_RDONLY, O_RDWR, O_WRONLY } from "../../../src/kernel/abi/open-flags.ts";
import { POLLIN } from "../../../src/kernel/abi/poll.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { WaitQueue } from "../../../src/kernel/fd/wait-queue.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { TestKernel } from "../../support/test-kernel.ts";
import { outcome, settle } from "../../support/waiter.ts";

/** Every kind of call that waits; each would wait for ever. */
const waits: Readonly<Record<string, (sys: Sys) => Promise<unknown>>> = {
  "a read of a pipe": async (sys) => sys.read((await sys.pipe())[0], new Uint8Array(1)),
  "a write to a full pipe": async (sys) => sys.write((await sys.pipe())[1], new Uint8Array(70_000)),
  "opening a FIFO to read": async (sys) => {
    await sys.mknod("fifo", "fifo");
    return sys.open("fifo", O_RDONLY);
  },
  "opening a FIFO to write": async (sys) => {
    await sys.mknod("fifo", "fifo");
    return sys.open("fifo", O_WRONLY);
  },
  "a read of a terminal": async (sys) => sys.read((await sys.openpty()).slave, new Uint8Array(1)),
  "a read of a terminal's master": async (sys) =>
    sys.read((await sys.openpty()).master, new Uint8Array(1)),
  "a read of an inotify fd": async (sys) => sys.read(await sys.inotifyInit(), new Uint8Array(100)),
  poll: async (sys) => sys.poll([{ fd: (await sys.pipe())[0], events: POLLIN }]),
  "poll of nothing": (sys) => sys.poll([]),
  "poll with a timeout": (sys) => sys.poll([], 1e9),
  "wait for a child": async (sys) => {
    await sys.clone(async (child) => {
      await child.nanosleep(1e9);
      return 0;
    });
    return sys.wait();
  },
  nanosleep: (sys) => sys.nanosleep(1e9),
  sigtimedwait: (sys) => sys.sigtimedwait([signals.SIGUSR1]),
  "a flock that is taken": async (sys) => {
    await sys.flock(await sys.open("f", O_CREAT | O_RDWR), "exclusive");
    return sys.flock(await sys.open("f", O_RDWR), "exclusive");
  },
  "a record lock that is taken": async (sys) => {
    const lock = { type: "write", start: 0, length: 0 } as const;
    const fd = await sys.open("f", O_CREAT | O_RDWR);
    await sys.clone(async (child) => {
      await child.setlk(fd, lock);
      await child.nanosleep(1e9);
      return 0;
    });
    await settle();
    return sys.setlk(fd, lock, true);
  },
  "a question to the host": (sys) => sys.open("/tmp/asked", O_CREAT | O_RDWR),
  "being stopped": async (sys) => sys.kill(await sys.getpid(), signals.SIGSTOP),
};

describe("a process that waits", () => {
  const rules = [{ mode: "ask", paths: ["/tmp/asked"] }] as const;
  const permissions = { fs: { default: "allow", rules } } as const;

  for (const [name, wait] of Object.entries(waits)) {
    it(`ends at once when it is killed: ${name}`, async () => {
      const test = await TestKernel.boot({ permissions });
      const after: unknown[] = [];
      const pid = await test.start(async (sys) => {
        await wait(sys).then(
          (value) => after.push(value),
          (error: Error) => after.push(error.name),
        );
        return 0;
      });
      await settle();
      expect(after).toEqual([]);
      await test.sys.kill(pid, signals.SIGKILL);
      expect((await test.sys.wait({ pid }))?.status).toEqual({
        kind: "signaled",
        signal: signals.SIGKILL,
      });
      await settle();
      expect(after).toEqual(["ProcessEnded"]);
      const left = test.kernel.processes.list().filter((process) => process.pid !== 1);
      for (const process of left) await test.sys.kill(process.pid, signals.SIGKILL);
      const { limits } = test.kernel;
      const used = (
        ["maxProcesses", "maxOpenFiles", "maxPipes", "maxPtys", "maxTimers"] as const
      ).map((limit) => limits.used(limit));
      expect([...used, limits.used("maxFileLocks"), limits.used("maxPendingAsks")]).toEqual([
        1, 0, 0, 0, 0, 0, 0,
      ]);
      expect(test.host.clock.timers).toBe(0);
      expect(test.host.logged).toEqual([]);
    });
  }

  it("leaves no waker behind, however its wait ends", async () => {
    const test = await TestKernel.boot({ limits: { maxTimers: 1 } });
    const queue = new WaitQueue();
    await test.asUser(async (sys, process) => {
      const first = process.wait(queue, test.host.monotonic() + 10);
      await expect(process.wait(queue, 1)).rejects.toMatchObject({ errno: "EAGAIN" });
      expect(queue.isEmpty).toBe(false);
      await test.host.clock.advance(10);
      expect(await first).toBe(false);
      expect(queue.isEmpty).toBe(true);
      await sys.sigaction(signals.SIGUSR1, "catch");
      const second = process.wait(queue);
      await sys.kill(process.pid, signals.SIGUSR1);
      await expect(second).rejects.toMatchObject({ errno: "EINTR" });
      expect(queue.isEmpty).toBe(true);
    });
  });

  it("does not act for the image that exec has put in its place", async () => {
    const test = await TestKernel.boot({
      programs: {
        sleeper: async (sys) => {
          await sys.nanosleep(1e9);
          return 0;
        },
      },
    });
    const [readFd, writeFd] = await test.sys.pipe();
    const old: unknown[] = [];
    const into = new Uint8Array(1);
    const pid = await test.start(async (sys) => {
      sys.read(readFd, into).then(
        (value) => old.push(value),
        (error: Error) => old.push(error.name),
      );
      return sys.exec({ path: "/bin/sleeper", argv: ["sleeper"] });
    });
    await settle();
    await test.sys.write(writeFd, new Uint8Array([7]));
    await settle();
    expect(old).toEqual(["ProcessEnded"]);
    expect(into).toEqual(new Uint8Array(1));
    expect(await outcome(test.sys.read(readFd, into))).toBe(1);
    await test.sys.kill(pid, signals.SIGKILL);
    await test.sys.wait({ pid });
  });

  it("is named by the last part of its first argument, at most 15 characters of it", async () => {
    const test = await TestKernel.boot();
    const commOf = (...argv: string[]): Promise<string> =>
      test.as(test.kernel.init.credentials, async (_sys, process) => process.comm, { argv });
    expect(await commOf("/usr/bin/a-very-long-program-name", "x")).toBe("a-very-long-pro");
    expect(await commOf("sh")).toBe("sh");
    expect(await commOf()).toBe("");
  });
});
