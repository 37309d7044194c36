/** Every limit met through the calls that a guest makes: the errno, the name, the warning before. */
import { describe, expect, it } from "vitest";
import { decodeInotify, IN_CREATE, IN_Q_OVERFLOW } from "../../../src/kernel/abi/inotify.ts";
import { O_CREAT, O_RDONLY, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { POLLIN } from "../../../src/kernel/abi/poll.ts";
import { AF_INET, AF_UNIX, SOCK_DGRAM, SOCK_STREAM } from "../../../src/kernel/abi/socket.ts";
import { type LimitName, limitNames, limitTable } from "../../../src/kernel/limits/limits.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { sleeper, TestKernel } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

interface Meeting {
  readonly value: number;
  /** Whether coming near it is told to the host. */
  readonly warns: boolean;
  /** Does one more each time, until it fails. */
  readonly step: (sys: Sys, count: number) => Promise<unknown>;
}

const fill = new Uint8Array(4096);

const meetings: Partial<Record<LimitName, Meeting>> = {
  maxProcesses: { value: 10, warns: true, step: (sys) => sys.clone(sleeper) },
  maxOpenFds: { value: 10, warns: true, step: (sys) => sys.open("/dev/null", O_RDONLY) },
  maxOpenFiles: { value: 10, warns: true, step: (sys) => sys.open("/tmp", O_RDONLY) },
  maxPipes: { value: 10, warns: true, step: (sys) => sys.pipe() },
  maxPtys: { value: 10, warns: true, step: (sys) => sys.openpty() },
  maxSockets: { value: 10, warns: true, step: (sys) => sys.socket(AF_INET, SOCK_STREAM) },
  maxConnections: {
    value: 10,
    warns: true,
    step: (sys) => sys.socketpair(AF_UNIX, SOCK_STREAM),
  },
  maxSocketBufferedBytes: {
    value: 10_000,
    warns: true,
    step: async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_DGRAM);
      await sys.bind(fd, { family: AF_INET, address: "127.0.0.1", port: 0 });
      const address = await sys.getsockname(fd);
      await sys.sendto(fd, new Uint8Array(0), { address });
    },
  },
  maxFilesystemBytes: {
    value: 10 * 4096,
    warns: true,
    step: async (sys, count) =>
      sys.pwrite(await sys.open("f", O_CREAT | O_RDWR), fill, count * 4096),
  },
  maxInodeCount: { value: 10, warns: true, step: (sys, count) => sys.mkdir(`d${count}`) },
  maxFileBytes: { value: 10, warns: false, step: (sys, count) => sys.truncate("file", count) },
  maxPreadBytes: {
    value: 10,
    warns: false,
    step: async (sys, count) =>
      sys.read(await sys.open("/dev/zero", O_RDONLY), new Uint8Array(count)),
  },
  maxFdWriteBytes: {
    value: 10,
    warns: false,
    step: async (sys, count) =>
      sys.write(await sys.open("/dev/null", O_RDWR), new Uint8Array(count)),
  },
  maxArgvBytes: {
    value: 10,
    warns: false,
    step: (sys, count) => sys.clone(async () => 0, { argv: ["x".repeat(count)] }),
  },
  maxEnvBytes: {
    value: 10,
    warns: false,
    step: (sys, count) => sys.clone(async () => 0, { env: new Map([["A", "x".repeat(count)]]) }),
  },
  maxHeldArgvBytes: {
    value: 1000,
    warns: true,
    step: (sys) => sys.clone(sleeper, { argv: ["x".repeat(49)] }),
  },
  maxMounts: {
    value: 10,
    warns: true,
    step: (sys) => sys.mount({ type: "memory", target: "/tmp" }),
  },
  maxWatches: {
    value: 10,
    warns: true,
    step: async (sys) => sys.inotifyAddWatch(await sys.inotifyInit(), "/", IN_CREATE),
  },
  maxFileLocks: {
    value: 10,
    warns: true,
    step: (sys, count) => sys.setlk(9, { type: "write", start: count * 2, length: 1 }),
  },
  maxTimers: {
    value: 10,
    warns: true,
    step: async (sys) => {
      const sleeping = sys.nanosleep(1e9);
      await Promise.race([sleeping, settle()]);
    },
  },
};

/** Met in tests of their own, with what happens instead of a failure. */
const elsewhere: readonly LimitName[] = [
  "maxSocketDatagramQueueLen",
  "maxReaddirEntries",
  "maxWatchEvents",
  "maxPendingAsks",
  "maxAuditRecords",
  // test/vm/executors/isolate/limits.test.ts
  "v8HeapLimitMb",
  "maxIsolates",
  "cpuTimeLimitMs",
  "cpuRefillMsPerSecond",
  "wallClockLimitMs",
  // test/vm/toolkits/
  "maxToolCalls",
  "maxToolRequestBytes",
  // test/vm/host-commands/
  "maxHostCommands",
  // test/vm/broker/cell-ration.test.ts
  "cellFramesPerSecond",
  "cellBytesPerSecond",
];

describe("a guest that goes on for ever", () => {
  it("meets every limit in one of these tests", () => {
    const met = [...Object.keys(meetings), ...elsewhere];
    expect(met.toSorted()).toEqual([...limitNames].toSorted());
  });

  for (const [name, { value, warns, step }] of Object.entries(meetings)) {
    it(`is stopped by ${name}`, async () => {
      const limit = name as LimitName;
      const test = await TestKernel.boot({ limits: { [limit]: value } });
      const failure = await test.asRoot(async (sys) => {
        const file = await sys.open("file", O_CREAT | O_RDWR);
        if (limit === "maxFileLocks") await sys.dup2(file, 9);
        else await sys.close(file);
        for (let count = 0; count < 1000; count++) {
          const error = await step(sys, count).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error !== undefined) return error;
        }
        return undefined;
      });
      expect(failure).toMatchObject({
        errno: limitTable[limit].errno,
        reason: `limit ${limit} is ${value}; raise limits.${limit} of the VM`,
      });
      const told = test.host.warnings.filter((warning) => warning.limit === limit);
      expect(told.map(({ capacity }) => capacity)).toEqual(warns ? [value] : []);
      expect(told.every(({ fillPercent }) => fillPercent >= 80 && fillPercent < 100)).toBe(true);
    });
  }

  it("reads directories in pages of at most maxReaddirEntries", async () => {
    const test = await TestKernel.boot({ limits: { maxReaddirEntries: 2 } });
    await test.asUser(async (sys) => {
      expect(await sys.readdir(await sys.open("/", O_RDONLY))).toHaveLength(2);
    });
  });

  it("loses datagrams beyond maxSocketDatagramQueueLen", async () => {
    const test = await TestKernel.boot({ limits: { maxSocketDatagramQueueLen: 1 } });
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_DGRAM);
      await sys.bind(fd, { family: AF_INET, address: "127.0.0.1", port: 0 });
      const address = await sys.getsockname(fd);
      for (let i = 0; i < 10; i++) await sys.sendto(fd, new Uint8Array(i), { address });
      expect((await sys.recvfrom(fd, new Uint8Array(10))).count).toBe(0);
      expect(await sys.poll([{ fd, events: POLLIN }], 0)).toEqual([0]);
    });
  });

  it("loses events beyond maxWatchEvents and is told so", async () => {
    const test = await TestKernel.boot({ limits: { maxWatchEvents: 3 } });
    await test.asUser(async (sys) => {
      const fd = await sys.inotifyInit();
      await sys.inotifyAddWatch(fd, "/tmp", IN_CREATE);
      for (let i = 0; i < 10; i++) await sys.mkdir(`d${i}`);
      const into = new Uint8Array(1000);
      const events = decodeInotify(into.subarray(0, await sys.read(fd, into)));
      expect(events.map(({ mask }) => mask)).toEqual(
        [IN_CREATE, IN_CREATE, IN_CREATE].map((mask) => mask | 0x40000000).concat(IN_Q_OVERFLOW),
      );
    });
  });

  it("pushes the oldest records out of the audit log beyond maxAuditRecords", async () => {
    const test = await TestKernel.boot({ limits: { maxAuditRecords: 3 } });
    await test.asUser(async (sys) => {
      for (let i = 0; i < 10; i++) await sys.stat(`/tmp`);
    });
    expect(test.kernel.audit.after(0, 100)).toHaveLength(3);
  });
});
