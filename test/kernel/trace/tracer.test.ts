import { describe, expect, it } from "vitest";
import { O_CLOEXEC, O_CREAT, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { formatTrace } from "../../../src/kernel/trace/trace-line.ts";
import type { TraceRecord } from "../../../src/kernel/trace/tracer.ts";
import { readAll, sleeper, TestKernel } from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

const trace = { follows: true, shownBytes: 32 };

function linesOf(text: string): string[] {
  const records = text.split("\n").filter((line) => line !== "");
  return records.map((line) => {
    const record = JSON.parse(line) as TraceRecord;
    return `${record.pid} ${formatTrace(record).replace(/ +=/, " =")}`;
  });
}

/** Runs a program as a traced child; what the tracer's pipe tells of it. */
async function tracedBy(sys: Sys, program: Program): Promise<string[]> {
  const [reader, writer] = await sys.pipe(O_CLOEXEC);
  await sys.clone(program, { trace: { ...trace, fd: writer } });
  await sys.close(writer);
  const lines = linesOf(await readAll(sys, reader));
  await sys.wait();
  return lines;
}

describe("a traced process", () => {
  it("tells calls, results, errnos and its end, and what it starts does, too", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const lines = await tracedBy(sys, async (child) => {
        const fd = await child.open("/tmp/x", O_RDWR | O_CREAT, 0o600);
        await child.write(fd, encodeText('a"\n\u0001é'));
        await child.open("/nope", 0).catch(() => undefined);
        const pid = await child.clone(async (inner) => {
          await inner.exit(3);
          return 0;
        });
        await child.wait({ pid });
        return 0;
      });
      expect(lines).toEqual([
        '3 open("/tmp/x", O_RDWR|O_CREAT, 0600) = 2',
        String.raw`3 write(2, "a\"\n\1\303\251", 6) = 6`,
        '3 open("/nope", O_RDONLY) = -1 ENOENT (No such file or directory)',
        "4 exit(3) = ?",
        "4 +++ exited with 3 +++",
        "3 clone() = 4",
        "3 wait(4, [{WIFEXITED(s) && WEXITSTATUS(s) == 3}], 0) = 4",
        "3 +++ exited with 0 +++",
      ]);
    });
  });

  it("tells the call that a signal ended it in", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const [reader, writer] = await sys.pipe(O_CLOEXEC);
      const pid = await sys.clone(sleeper, { trace: { ...trace, fd: writer } });
      await sys.close(writer);
      await settle();
      await sys.kill(pid, signals.SIGKILL);
      expect(linesOf(await readAll(sys, reader))).toEqual([
        `3 nanosleep(${Number.MAX_SAFE_INTEGER}) = ?`,
        "3 +++ killed by SIGKILL +++",
      ]);
    });
  });

  it("waits while its tracer does not read, and goes on without it", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const [reader, writer] = await sys.pipe(O_CLOEXEC);
      let calls = 0;
      const pid = await sys.clone(
        async (child) => {
          for (; calls < 10_000; calls += 1) await child.getpid();
          return 0;
        },
        { trace: { ...trace, fd: writer }, fds: [{ fd: reader, close: true }] },
      );
      await sys.close(writer);
      await settle();
      const before = calls;
      await settle();
      expect(calls).toBe(before);
      expect(before).toBeLessThan(10_000);
      await sys.close(reader);
      expect(await sys.wait({ pid })).toEqual({ pid, status: { kind: "exited", code: 0 } });
      expect(calls).toBe(10_000);
      expect(test.kernel.limits.used("maxPipes")).toBe(0);
    });
  });

  it("is not told of once it is somebody else's", async () => {
    const test = await TestKernel.boot({
      programs: { id: async (sys) => (await sys.getcredentials()).euid },
      files: [
        { path: "/bin/root-id", kind: "file", mode: 0o4755, content: encodeText("\x7fPROGRAM id") },
      ],
    });
    await test.asUser(async (sys) => {
      const lines = await tracedBy(sys, async (child) => {
        const pid = await child.spawn({ path: "/bin/root-id", argv: ["root-id"] });
        await child.wait({ pid });
        await child.exec({ path: "/bin/root-id", argv: ["root-id"] });
        return 1;
      });
      expect(lines).toEqual([
        '3 spawn("/bin/root-id", ["root-id"]) = 4',
        "3 wait(4, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0) = 4",
      ]);
    });
  });

  it("is traced to a pipe of the parent's only", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const request = (fd: number) => ({ trace: { ...trace, fd } });
      const file = await sys.open("/tmp/x", O_RDWR | O_CREAT, 0o600);
      const [reader] = await sys.pipe();
      for (const [fd, errno] of [
        [file, "EINVAL"],
        [reader, "EINVAL"],
        [77, "EBADF"],
      ] as const)
        await expect(sys.clone(sleeper, request(fd))).rejects.toMatchObject({ errno });
      expect(test.kernel.limits.used("maxProcesses")).toBe(2);
    });
  });
});

describe("the host's tracer", () => {
  it("tells all guests' calls and none of the host's, until it is stopped", async () => {
    const test = await TestKernel.boot();
    let text = "";
    const output = {
      write: async (bytes: Uint8Array) => {
        text += new TextDecoder().decode(bytes);
      },
      close: () => {
        text += "closed\n";
      },
    };
    const tracer = test.kernel.trace(output, { calls: new Set(["getpid"]), shownBytes: 32 });
    await test.sys.getpid();
    await test.run(async (sys) => sys.getpid());
    tracer.stop();
    tracer.stop();
    await test.run(async (sys) => sys.getpid());
    await settle();
    const [closed, ...lines] = text
      .split("\n")
      .filter((line) => line !== "")
      .toReversed();
    expect(closed).toBe("closed");
    expect(linesOf(lines.toReversed().join("\n"))).toEqual([
      "2 getpid() = 2",
      "2 getpid() = 2",
      "2 +++ exited with 2 +++",
    ]);
    expect(test.kernel.init.traced).toBeUndefined();
  });
});
