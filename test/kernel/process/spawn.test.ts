import { describe, expect, it } from "vitest";
import { O_CLOEXEC, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import {
  OTHER,
  ROOT,
  readText,
  sleeper,
  TestKernel,
  USER,
  writeText,
} from "../../support/test-kernel.ts";
import { settle } from "../../support/waiter.ts";

/** Programs that tell the test what they find. */
function teller<T>(find: (sys: Sys) => Promise<T>): { told: T[]; program: Program } {
  const told: T[] = [];
  const program: Program = async (sys) => {
    told.push(await find(sys));
    return 0;
  };
  return { told, program };
}

describe("a new process", () => {
  it("ends at the limit of processes, and a storm of them leaves none behind", async () => {
    const test = await TestKernel.boot({ limits: { maxProcesses: 20 } });
    let refused = 0;
    const bomb: Program = async (sys) => {
      for (;;) {
        try {
          await sys.clone(bomb);
        } catch (error) {
          if (!(error instanceof Error) || !error.message.startsWith("EAGAIN")) throw error;
          refused += 1;
          await sys.nanosleep(1);
        }
      }
    };
    const pid = await test.sys.clone(bomb, { isSessionLeader: true });
    await test.host.advance(10);
    expect(test.kernel.limits.used("maxProcesses")).toBe(20);
    expect(refused).toBeGreaterThan(20);
    expect(test.host.warnings).toEqual([
      { limit: "maxProcesses", observed: 16, capacity: 20, fillPercent: 80 },
    ]);
    for (let round = 0; round < 3; round++) {
      const all = test.kernel.processes.list().filter((process) => process.pid !== 1);
      for (const process of all) await test.sys.kill(process.pid, signals.SIGKILL);
      await test.host.advance(5);
    }
    await test.sys.wait({ pid });
    expect(test.kernel.processes.list().map((process) => process.pid)).toEqual([1]);
    expect(test.kernel.limits.used("maxProcesses")).toBe(1);
    expect(test.host.logged).toEqual([]);
  });

  it("is not made by a process that is killed on the way", async () => {
    const test = await TestKernel.boot({ programs: { sleeper } });
    for (let steps = 0; steps < 40; steps++) {
      const pid = await test.start(async (sys) => {
        await sys.spawn({ path: "/bin/sleeper", argv: ["s"] });
        return 0;
      });
      for (let i = 0; i < steps; i++) await Promise.resolve();
      await test.sys.kill(pid, signals.SIGKILL);
      await test.sys.wait({ pid });
      for (const process of test.kernel.processes.list()) {
        expect(process.parent?.state ?? "running").not.toBe("zombie");
        if (process.pid !== 1) await test.sys.kill(process.pid, signals.SIGKILL);
      }
      expect(test.kernel.processes.list()).toHaveLength(1);
    }
    expect(test.kernel.limits.used("maxProcesses")).toBe(1);
  });

  it("opens nothing after it was killed on the way", async () => {
    const test = await TestKernel.boot();
    await writeText(test.sys, "/tmp/f", "");
    const opens: ((sys: Sys) => Promise<unknown>)[] = [
      (sys) => sys.open("/tmp/f", O_RDONLY),
      (sys) => sys.open("/tmp", O_RDONLY),
      (sys) => sys.pipe(),
      (sys) => sys.openpty(),
    ];
    for (const open of opens) {
      for (let steps = 0; steps < 25; steps++) {
        const pid = await test.start(async (sys) => {
          await open(sys);
          await sys.nanosleep(1e9);
          return 0;
        });
        for (let i = 0; i < steps; i++) await Promise.resolve();
        await test.sys.kill(pid, signals.SIGKILL);
        await test.sys.wait({ pid });
        await settle();
      }
    }
    const { limits } = test.kernel;
    expect([limits.used("maxOpenFiles"), limits.used("maxPipes"), limits.used("maxPtys")]).toEqual([
      0, 0, 0,
    ]);
    expect(test.host.logged).toEqual([]);
  });

  it("acts as somebody else when root says so, also where it may go", async () => {
    const { told, program } = teller((sys) => sys.getcredentials());
    const test = await TestKernel.boot({ programs: { who: program } });
    await test.asRoot(async (sys) => {
      await sys.wait({
        pid: await sys.spawn({ path: "/bin/who", argv: ["who"], credentials: OTHER }),
      });
      const closed = sys.spawn({
        path: "/bin/who",
        argv: ["who"],
        credentials: OTHER,
        cwd: "/root",
      });
      await expect(closed).rejects.toMatchObject({ errno: "EACCES" });
      await sys.chmod("/bin/who", 0o700);
      const notTheirs = sys.spawn({ path: "/bin/who", argv: ["who"], credentials: OTHER });
      await expect(notTheirs).rejects.toMatchObject({ errno: "EACCES" });
    });
    expect(told).toEqual([OTHER]);
  });

  it("has ignored signals and the mask of its parent, and others by default", async () => {
    const { told, program } = teller(async (sys) => [
      await sys.sigaction(signals.SIGHUP, "default"),
      await sys.sigaction(signals.SIGINT, "default"),
      await sys.sigaction(signals.SIGTERM, "default"),
      await sys.sigaction(signals.SIGUSR1, "default"),
      await sys.sigprocmask("block", []),
      await sys.sigpending(),
    ]);
    const test = await TestKernel.boot({ programs: { tell: program } });
    await test.asUser(async (sys) => {
      await sys.sigaction(signals.SIGHUP, "ignore");
      await sys.sigaction(signals.SIGINT, "catch");
      await sys.sigaction(signals.SIGTERM, "ignore");
      await sys.sigprocmask("block", [signals.SIGUSR2]);
      await sys.kill(await sys.getpid(), signals.SIGUSR2);
      const changes = { default: [signals.SIGTERM], ignore: [signals.SIGUSR1] };
      await sys.wait({
        pid: await sys.spawn({ path: "/bin/tell", argv: ["t"], signals: changes }),
      });
      await sys.wait({ pid: await sys.clone(program, { signals: changes }) });
    });
    const expected = ["ignore", "default", "default", "ignore", [signals.SIGUSR2], []];
    expect(told).toEqual([expected, expected]);
  });

  it("blocks the signals that its parent chooses for it", async () => {
    const { told, program } = teller((sys) => sys.sigprocmask("block", []));
    const test = await TestKernel.boot({ programs: { tell: program } });
    await test.asUser(async (sys) => {
      await sys.sigprocmask("block", [signals.SIGUSR2]);
      for (const blocked of [[], [signals.SIGINT, signals.SIGKILL]]) {
        const wish = { path: "/bin/tell", argv: ["t"], signals: { blocked } };
        await sys.wait({ pid: await sys.spawn(wish) });
      }
      expect(await sys.sigprocmask("block", [])).toEqual([signals.SIGUSR2]);
    });
    expect(told).toEqual([[], [signals.SIGINT]]);
  });

  it("joins a group of its session, makes its own with 0 or in place of one that is gone", async () => {
    const test = await TestKernel.boot();
    await test.as(ROOT, async (sys) => {
      const first = await sys.clone(sleeper, { pgid: 0 });
      const second = await sys.clone(sleeper, { pgid: first });
      const third = await sys.clone(sleeper, { pgid: 20_000 });
      const leader = await sys.clone(sleeper, { isSessionLeader: true, pgid: first });
      const groups = [];
      for (const pid of [first, second, third, leader]) groups.push(await sys.getpgid(pid));
      expect(groups).toEqual([first, first, third, leader]);
      await sys.kill(-1, signals.SIGKILL);
    });
  });

  it("keeps close-on-exec descriptors as a clone, loses them as a spawn", async () => {
    const { told, program } = teller(async (sys) =>
      (await sys.readdir(await sys.open("/proc/self/fd", O_RDONLY))).map(({ name }) => name),
    );
    const test = await TestKernel.boot({ programs: { fds: program } });
    await test.as(USER, async (sys) => {
      await sys.open("/dev/null", O_RDONLY);
      await sys.open("/dev/null", O_RDONLY | O_CLOEXEC);
      await sys.wait({ pid: await sys.clone(program) });
      await sys.wait({ pid: await sys.spawn({ path: "/bin/fds", argv: ["fds"] }) });
      const kept = [{ fd: 1, from: 1 }];
      await sys.wait({ pid: await sys.spawn({ path: "/bin/fds", argv: ["fds"], fds: kept }) });
    });
    expect(told).toEqual([
      ["0", "1", "2"],
      ["0", "1"],
      ["0", "1", "2"],
    ]);
  });
});

describe("the environment of a new process", () => {
  it("has nothing of the host's that the policy hides, or would ask about", async () => {
    const test = await TestKernel.boot({
      env: new Map([
        ["HOME", "/root"],
        ["TOKEN", "secret"],
        ["ASKED", "x"],
      ]),
      permissions: {
        env: {
          default: "allow",
          rules: [
            { mode: "deny", operations: ["read"], patterns: ["TOK*"] },
            { mode: "ask", operations: ["read"], patterns: ["ASKED"] },
          ],
        },
      },
    });
    await test.asUser(async (sys) =>
      expect([...(await sys.environ())]).toEqual([["HOME", "/root"]]),
    );
    expect(test.host.questions).toEqual([]);
  });

  it("is kept from root, who can look into every process", async () => {
    const rules = [{ mode: "deny", patterns: ["SECRET_*"] }] as const;
    const env = new Map([
      ["SECRET_A", "1"],
      ["OPEN", "2"],
    ]);
    const test = await TestKernel.boot({ env, permissions: { env: { default: "allow", rules } } });
    expect([...test.kernel.init.env]).toEqual([["OPEN", "2"]]);
    await test.asRoot(async (sys) => {
      expect(await readText(sys, "/proc/1/environ")).toBe("");
      expect(await readText(sys, "/proc/self/environ")).toBe("OPEN=2\0");
    });
  });

  it("takes new and changed variables only where the policy allows, and keeps the rest as it was", async () => {
    const { told, program } = teller(async (sys) => [...(await sys.environ())]);
    const rules = [{ mode: "deny", operations: ["write"], patterns: ["LD_*"] }] as const;
    const test = await TestKernel.boot({
      env: new Map([["LD_OLD", "1"]]),
      permissions: { env: { default: "allow", rules } },
    });
    await test.asUser(async (sys) => {
      const start = (env: Map<string, string>): Promise<number> => sys.clone(program, { env });
      await sys.wait({ pid: await start(new Map([["LD_OLD", "1"]])) });
      await sys.wait({ pid: await start(new Map([["LD_OLD", "2"]])) });
      const both = new Map([
        ["LD_NEW", "1"],
        ["OTHER", "1"],
      ]);
      await sys.wait({ pid: await start(both) });
    });
    expect(told).toEqual([[["LD_OLD", "1"]], [["LD_OLD", "1"]], [["OTHER", "1"]]]);
    const denied = test.kernel.audit.after(0, 100).filter(({ outcome }) => outcome === "deny");
    expect(denied.map(({ call, operation, subject }) => [call, operation, subject])).toEqual([
      ["clone", "write", "LD_OLD"],
      ["clone", "write", "LD_NEW"],
    ]);
  });
});
