import { describe, expect, it } from "vitest";
import {
  O_CREAT,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
} from "../../../src/kernel/abi/open-flags.ts";
import { POLLIN } from "../../../src/kernel/abi/poll.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { AF_INET, SOCK_DGRAM, SOCK_STREAM } from "../../../src/kernel/abi/socket.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import type { Process } from "../../../src/kernel/process/process.ts";
import { sendSignal } from "../../../src/kernel/process/send-signal.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { sleeper, TestKernel, USER } from "../../support/test-kernel.ts";
import { outcome, settle } from "../../support/waiter.ts";

/** More steps than any of the calls takes before it waits or ends. */
const STEPS = 60;

/** A call that is cut off. */
interface Situation {
  readonly call: () => Promise<unknown>;
  /** Ends what the call waits for. Left out, the call is cut off on its way to where it waits. */
  readonly wake?: () => Promise<unknown>;
}

type Prepare = (sys: Sys, test: TestKernel) => Promise<Situation>;

const address = { family: AF_INET, address: "127.0.0.1", port: 8080 } as const;
const wholeFile = { type: "write", start: 0, length: 0 } as const;

/** A lock that another process holds until it is killed. */
async function lockElsewhere(
  test: TestKernel,
  lock: (sys: Sys, fd: number) => Promise<void>,
): Promise<() => Promise<void>> {
  const pid = await test.start(
    async (sys) => {
      await lock(sys, await sys.open("f", O_RDWR));
      return sleeper(sys);
    },
    { credentials: USER },
  );
  await settle();
  return () => test.sys.kill(pid, signals.SIGKILL);
}

const open = (sys: Sys): Promise<number> => sys.open("f", O_CREAT | O_RDWR);

const situations: Readonly<Record<string, Prepare>> = {
  "write to a pipe": async (sys) => {
    const [, fd] = await sys.pipe();
    return { call: () => sys.write(fd, encodeText("some")) };
  },
  "write to a full pipe": async (sys) => {
    const [, fd] = await sys.pipe();
    return { call: () => sys.write(fd, new Uint8Array(100_000)) };
  },
  "write to a file": async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.write(fd, encodeText("some")) };
  },
  pwrite: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.pwrite(fd, encodeText("some"), 5) };
  },
  ftruncate: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.ftruncate(fd, 5) };
  },
  read: async (sys) => {
    const [fd] = await sys.pipe();
    return { call: () => sys.read(fd, new Uint8Array(1)) };
  },
  pread: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.pread(fd, new Uint8Array(1), 0) };
  },
  seek: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.seek(fd, 0, 2) };
  },
  fstat: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.fstat(fd) };
  },
  fsync: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.fsync(fd) };
  },
  readdir: async (sys) => {
    const fd = await sys.open("/tmp", O_RDONLY);
    return { call: () => sys.readdir(fd) };
  },
  ioctl: async (sys) => {
    const { slave } = await sys.openpty();
    return { call: () => sys.ioctl(slave, { request: "TCGETS" }) };
  },
  poll: async (sys) => {
    const [fd] = await sys.pipe();
    return { call: () => sys.poll([{ fd, events: POLLIN }], 5) };
  },
  dup2: async (sys) => {
    const [fd, other] = await sys.pipe();
    return { call: () => sys.dup2(fd, other) };
  },
  pipe: async (sys) => ({ call: () => sys.pipe() }),
  openpty: async (sys) => ({ call: () => sys.openpty() }),
  socketpair: async (sys) => ({ call: () => sys.socketpair(1, SOCK_STREAM) }),
  "open of a file that is made": async (sys) => ({ call: () => open(sys) }),
  "open of a FIFO": async (sys) => {
    await sys.mknod("fifo", "fifo", 0o600);
    return { call: () => sys.open("fifo", O_RDONLY) };
  },
  "open of a FIFO that has a writer": async (sys, test) => {
    await sys.mknod("fifo", "fifo", 0o600);
    await test.start(async (writer) => writer.open("fifo", O_WRONLY).then(() => 0));
    return { call: () => sys.open("fifo", O_RDONLY) };
  },
  "open of a FIFO for both": async (sys) => {
    await sys.mknod("fifo", "fifo", 0o600);
    return { call: () => sys.open("fifo", O_RDWR | O_NONBLOCK) };
  },
  inotifyAddWatch: async (sys) => {
    const fd = await sys.inotifyInit();
    return { call: () => sys.inotifyAddWatch(fd, "/tmp", 1) };
  },
  flock: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.flock(fd, "exclusive") };
  },
  "flock that waits": async (sys, test) => {
    const fd = await open(sys);
    const wake = await lockElsewhere(test, (other, held) => other.flock(held, "exclusive"));
    return { call: () => sys.flock(fd, "exclusive"), wake };
  },
  "setlk that waits": async (sys, test) => {
    const fd = await open(sys);
    const wake = await lockElsewhere(test, (other, held) => other.setlk(held, wholeFile));
    return { call: () => sys.setlk(fd, wholeFile, true), wake };
  },
  "read of a pipe that is filled": async (sys) => {
    const [fd, other] = await sys.pipe();
    const call = (): Promise<unknown> => sys.read(fd, new Uint8Array(1));
    return { call, wake: () => sys.write(other, encodeText("some")) };
  },
  "write to a pipe that is emptied": async (sys) => {
    const [other, fd] = await sys.pipe();
    const call = (): Promise<unknown> => sys.write(fd, new Uint8Array(100_000));
    return { call, wake: () => sys.read(other, new Uint8Array(65_536)) };
  },
  setlk: async (sys) => {
    const fd = await open(sys);
    return { call: () => sys.setlk(fd, wholeFile) };
  },
  clone: async (sys) => ({ call: () => sys.clone(sleeper) }),
  spawn: async (sys) => ({ call: () => sys.spawn({ path: "/bin/sleeper", argv: ["sleeper"] }) }),
  accept: async (sys) => {
    const fd = await sys.socket(AF_INET, SOCK_STREAM);
    await sys.bind(fd, address);
    await sys.listen(fd, 1);
    const caller = await sys.socket(AF_INET, SOCK_STREAM | O_NONBLOCK);
    await outcome(sys.connect(caller, address));
    return { call: () => sys.accept(fd) };
  },
  bind: async (sys) => {
    const fd = await sys.socket(AF_INET, SOCK_STREAM);
    return { call: () => sys.bind(fd, address) };
  },
  listen: async (sys) => {
    const fd = await sys.socket(AF_INET, SOCK_STREAM);
    await sys.bind(fd, address);
    return { call: () => sys.listen(fd, 1) };
  },
  "bind of a path": async (sys) => {
    const fd = await sys.socket(1, SOCK_STREAM);
    return { call: () => sys.bind(fd, { family: 1, path: "s" }) };
  },
  connect: async (sys) => {
    const listener = await sys.socket(AF_INET, SOCK_STREAM);
    await sys.bind(listener, address);
    await sys.listen(listener, 1);
    const fd = await sys.socket(AF_INET, SOCK_STREAM);
    return { call: () => sys.connect(fd, address) };
  },
  sendto: async (sys) => {
    const fd = await sys.socket(AF_INET, SOCK_DGRAM);
    return { call: () => sys.sendto(fd, encodeText("some"), { address }) };
  },
  recvfrom: async (sys) => {
    const [fd] = await sys.socketpair(1, SOCK_STREAM);
    return { call: () => sys.recvfrom(fd, new Uint8Array(1)) };
  },
};

const counted = [
  "maxProcesses",
  "maxOpenFiles",
  "maxPipes",
  "maxPtys",
  "maxSockets",
  "maxFileLocks",
  "maxTimers",
  "maxWatches",
] as const;

async function killAfter(steps: number, prepare: Prepare): Promise<void> {
  const test = await TestKernel.boot({ programs: { sleeper } });
  const used = (): number[] => counted.map((limit) => test.kernel.limits.used(limit));
  const before = used();
  const ready = Promise.withResolvers<Situation>();
  const pid = await test.start(
    async (sys) => {
      await prepare(sys, test).then(ready.resolve, ready.reject);
      return sleeper(sys);
    },
    { credentials: USER },
  );
  const { call, wake } = await ready.promise;
  const made = [call()];
  if (wake !== undefined) {
    await settle();
    made.push(wake());
  }
  const ended = Promise.allSettled(made);
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  for (const process of [test.kernel.processes.get(pid), ...test.kernel.processes.list()]) {
    if (process.pid !== 1) kill(process);
  }
  await ended;
  for (const process of test.kernel.processes.list()) if (process.pid !== 1) kill(process);
  await settle();
  while (test.kernel.init.children.size > 0) await test.sys.wait();
  expect({ steps, used: used(), logged: test.host.logged }).toEqual({
    steps,
    used: before,
    logged: [],
  });
}

function kill(process: Process): void {
  sendSignal(process, signals.SIGKILL);
}

describe("a process that is killed in the middle of a call", () => {
  it.each(Object.entries(situations))("gives everything back once: %s", async (_name, prepare) => {
    for (let steps = 0; steps < STEPS; steps += 1) await killAfter(steps, prepare);
  });

  it("ends a pipe for its reader, however far its write has come", async () => {
    for (let steps = 0; steps < STEPS; steps += 1) {
      const test = await TestKernel.boot();
      const [readFd, writeFd] = await test.sys.pipe();
      const pid = await test.start(sleeper);
      await test.sys.close(writeFd);
      const calls = test.kernel.sysOf(test.kernel.processes.get(pid));
      const written = outcome(calls.write(writeFd, encodeText("some")));
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      kill(test.kernel.processes.get(pid));
      await written;
      const read = async (): Promise<unknown> => outcome(test.sys.read(readFd, new Uint8Array(10)));
      const first = await read();
      expect([0, 4], `after ${steps} steps`).toContain(first);
      if (first === 4) expect(await read(), `after ${steps} steps`).toBe(0);
    }
  });
});
