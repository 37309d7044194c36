import { describe, expect, it } from "vitest";
import { O_WRONLY } from "../../../src/kernel/abi/open-flags.ts";
import { ROOT, readAll, TestKernel, writeText } from "../../support/test-kernel.ts";

describe("the end of what a process runs", () => {
  it("is its status: the low byte of what it resolves to", async () => {
    const test = await TestKernel.boot();
    expect(await test.run(async () => 256 + 3)).toEqual({ kind: "exited", code: 3 });
    expect(await test.run(async () => -1)).toEqual({ kind: "exited", code: 255 });
  });

  it("is status 1 and a line on fd 2 for a KernelError that it lets out", async () => {
    const test = await TestKernel.boot();
    const [readFd, writeFd] = await test.sys.pipe();
    const status = await test.run(
      async (sys) => {
        await sys.open("missing", 0);
        return 0;
      },
      { argv: ["/bin/prog"], fds: [{ fd: 2, from: writeFd }] },
    );
    await test.sys.close(writeFd);
    expect(status).toEqual({ kind: "exited", code: 1 });
    expect(await readAll(test.sys, readFd)).toBe("prog: /tmp/missing: No such file or directory\n");
    expect(test.host.logged).toEqual([]);
  });

  it("needs no fd 2 for that", async () => {
    const test = await TestKernel.boot();
    await writeText(test.sys, "/tmp/f", "");
    const readOnly = await test.sys.open("/tmp/f", 0);
    const full = await test.sys.open("/dev/full", O_WRONLY);
    for (const fds of [[], [{ fd: 2, from: readOnly }], [{ fd: 2, from: full }]]) {
      const fails = test.run((sys) => sys.close(99).then(() => 0), { fds });
      expect(await fails).toEqual({ kind: "exited", code: 1 });
    }
  });

  it("is status 70 and a bug in the log for anything else", async () => {
    const test = await TestKernel.boot();
    const cause = new TypeError("oops");
    const status = await test.run(async () => {
      throw cause;
    });
    expect(status).toEqual({ kind: "exited", code: 70 });
    expect(test.host.logged).toEqual([{ level: "bug", message: "test failed", cause }]);
  });

  it("is the same when its executor cannot start it", async () => {
    const test = await TestKernel.boot();
    await writeText(test.sys, "/bin/unknown", "\x7fPROGRAM unknown\n", 0o755);
    await test.as(ROOT, async (sys) => {
      const pid = await sys.spawn({ path: "/bin/unknown", argv: ["unknown"] });
      expect((await sys.wait({ pid }))?.status).toEqual({ kind: "exited", code: 70 });
    });
    expect(test.host.logged).toMatchObject([{ level: "bug", message: "unknown failed" }]);
  });

  it("does not count once the process was ended or has called exec", async () => {
    const test = await TestKernel.boot({
      programs: {
        seven: async (sys) => {
          await sys.nanosleep(5);
          return 7;
        },
      },
    });
    const replaced = await test.start(async (sys) => {
      await sys.exec({ path: "/bin/seven", argv: ["seven"] }).catch(() => undefined);
      return 1;
    });
    const killed = await test.start(async (sys) => {
      await sys.nanosleep(1e9).catch(() => undefined);
      return 1;
    });
    await test.host.advance(1);
    await test.sys.kill(killed, 15);
    await test.host.advance(5);
    expect((await test.sys.wait({ pid: replaced }))?.status).toEqual({ kind: "exited", code: 7 });
    expect((await test.sys.wait({ pid: killed }))?.status).toEqual({
      kind: "signaled",
      signal: 15,
    });
  });
});
