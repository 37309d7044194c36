import { expect, it } from "vitest";
import { O_CLOEXEC, O_RDONLY } from "../../../src/kernel/abi/open-flags.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import { WCONTINUED, WNOHANG, WUNTRACED } from "../../../src/kernel/abi/wait-status.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import {
  OTHER,
  readAll,
  sleeper,
  type TestKernel,
  USER,
  writeText,
} from "../../support/test-kernel.ts";
import { outcome, settle } from "../../support/waiter.ts";
import { interrupted } from "./situations.ts";

/** Says its arguments, environment, directory and the fds it got, on fd 1. */
const describeSelf: Program = async (sys, argv) => {
  const env = [...(await sys.environ())].map(([name, value]) => `${name}=${value}`);
  const listing = await sys.open("/proc/self/fd", O_RDONLY);
  const entries = await sys.readdir(listing);
  const fds = entries.map(({ name }) => name).filter((name) => name !== String(listing));
  const said = { argv, env, cwd: await sys.getcwd(), fds };
  await sys.write(1, encodeText(JSON.stringify(said)));
  return 7;
};

const programs = { self: describeSelf, sleeper, true: async () => 0 };

export function describeProcesses(): void {
  describeCall("spawn", describeSpawn);
  describeCall("clone", describeClone);
  describeCall("exec", describeExec);
  describeCall("exit", () => {
    it("ends the process with the low byte of its code, and nothing of it runs on", async () => {
      const test = await bootObserved();
      const after: string[] = [];
      const status = await test.run(async (sys) => {
        try {
          await sys.exit(0x1_2a);
          after.push("returned");
        } finally {
          await sys.getpid().catch((error: Error) => after.push(error.name));
        }
        return 1;
      });
      expect(status).toEqual({ kind: "exited", code: 0x2a });
      await settle();
      expect(after).toEqual(["ProcessEnded"]);
    });
  });
  describeCall("wait", describeWait);
  describeCall("environ", () => {
    it("is a copy of what the process was started with", async () => {
      const test = await bootObserved({ env: new Map([["HOME", "/root"]]) });
      await test.asUser(async (sys) => {
        const env = await sys.environ();
        expect([...env]).toEqual([["HOME", "/root"]]);
        env.set("X", "1");
        expect([...(await sys.environ())]).toEqual([["HOME", "/root"]]);
      });
    });
  });
}

async function outputOf(sys: Sys, path: string, argv: string[], env?: Map<string, string>) {
  const [readFd, writeFd] = await sys.pipe(O_CLOEXEC);
  const fds = [{ fd: 1, from: writeFd }];
  const pid = await sys.spawn({ path, argv, fds, ...(env === undefined ? {} : { env }) });
  await sys.close(writeFd);
  const text = await readAll(sys, readFd);
  await sys.close(readFd);
  return { text, waited: await sys.wait({ pid }), pid };
}

function describeSpawn(): void {
  it("runs a file with arguments, environment, directory and fds", async () => {
    const test = await bootObserved({ programs });
    await test.asUser(async (sys) => {
      const kept = await sys.open("/dev/null", O_RDONLY);
      const [readFd, writeFd] = await sys.pipe(O_CLOEXEC);
      const pid = await sys.spawn({
        path: "/bin/self",
        argv: ["self", "é", ""],
        env: new Map([["A", "1"]]),
        cwd: "/home",
        fds: [
          { fd: 5, from: kept },
          { fd: 1, from: writeFd },
          { fd: kept, close: true },
          { fd: 77, close: true },
        ],
      });
      await sys.close(writeFd);
      expect(JSON.parse(await readAll(sys, readFd))).toEqual({
        argv: ["self", "é", ""],
        env: ["A=1"],
        cwd: "/home",
        fds: ["1", "5"],
      });
      expect(await sys.wait()).toEqual({ pid, status: { kind: "exited", code: 7 } });
    });
  });

  it("runs a script by the interpreter of its first line", async () => {
    const test = await bootObserved({ programs });
    await test.asUser(async (sys) => {
      await writeText(sys, "script", "#! /bin/self -x  y \nrest", 0o755);
      await writeText(sys, "nested", "#!/tmp/script\n", 0o755);
      const { text } = await outputOf(sys, "script", ["name", "a"]);
      expect(JSON.parse(text).argv).toEqual(["/bin/self", "-x  y", "script", "a"]);
      const nested = await outputOf(sys, "./nested", ["name", "a"]);
      expect(JSON.parse(nested.text).argv).toEqual([
        "/bin/self",
        "-x  y",
        "/tmp/script",
        "./nested",
        "a",
      ]);
    });
  });

  it("fails for what cannot be run, starting nothing", async () => {
    const test = await bootObserved({ programs });
    await test.asUser(async (sys) => {
      await writeText(sys, "plain", "no program", 0o755);
      await writeText(sys, "closed", "#!/bin/self\n", 0o644);
      await writeText(sys, "empty", "#!\n", 0o755);
      await writeText(sys, "lost", "#!/bin/missing\n", 0o755);
      await writeText(sys, "cut", `#!${"/x".repeat(200)}\n`, 0o755);
      await writeText(sys, "round", "#!/tmp/round\n", 0o755);
      const start = (path: string) => sys.spawn({ path, argv: ["x"] });
      await expectErrno(start("plain"), "ENOEXEC");
      await expectErrno(start("empty"), "ENOEXEC");
      await expectErrno(start("cut"), "ENOEXEC");
      await expectErrno(start("closed"), "EACCES");
      await expectErrno(start("/tmp"), "EACCES");
      await expectErrno(start("lost"), "ENOENT");
      await expectErrno(start("round"), "ELOOP");
      await expectErrno(sys.spawn({ path: "/bin/true", argv: ["a\0b"] }), "EINVAL");
      await expectErrno(
        sys.spawn({ path: "/bin/true", argv: [], fds: [{ fd: 1, from: 99 }] }),
        "EBADF",
      );
      await expectErrno(sys.spawn({ path: "/bin/true", argv: [], credentials: OTHER }), "EPERM");
      await expectErrno(sys.wait({ flags: WNOHANG }), "ECHILD");
    });
  });

  it("fails beyond the limits of arguments, environment and processes", async () => {
    const test = await bootObserved({
      programs,
      limits: { maxArgvBytes: 10, maxEnvBytes: 10, maxProcesses: 3 },
    });
    await test.asUser(async (sys) => {
      const path = "/bin/sleeper";
      await sys.wait({ pid: await sys.spawn({ path: "/bin/true", argv: ["123456789"] }) });
      const tooLong = await expectErrno(sys.spawn({ path, argv: ["1234", "12345"] }), "E2BIG");
      expect(tooLong.reason).toBe("limit maxArgvBytes is 10; raise limits.maxArgvBytes of the VM");
      const env = new Map([["NAME", "VALUE"]]);
      const tooMuch = await expectErrno(sys.spawn({ path, argv: [], env }), "E2BIG");
      expect(tooMuch.reason).toBe("limit maxEnvBytes is 10; raise limits.maxEnvBytes of the VM");
      const pid = await sys.spawn({ path, argv: ["s"] });
      const tooMany = await expectErrno(sys.spawn({ path, argv: ["s"] }), "EAGAIN");
      expect(tooMany.reason).toBe("limit maxProcesses is 3; raise limits.maxProcesses of the VM");
      await sys.kill(pid, signals.SIGKILL);
      await expectErrno(sys.spawn({ path, argv: ["s"] }), "EAGAIN");
      await sys.wait({ pid });
      await sys.kill(await sys.spawn({ path, argv: ["s"] }), signals.SIGKILL);
    });
    expect(test.kernel.limits.used("maxOpenFiles")).toBe(0);
  });
}

function describeClone(): void {
  it("runs a function with all fds, the directory, the mask and the environment", async () => {
    const test = await bootObserved({ env: new Map([["A", "1"]]) });
    await test.asUser(async (sys) => {
      const fd = await sys.open("/dev/zero", O_RDONLY | O_CLOEXEC);
      await sys.umask(0o077);
      await sys.chdir("/home");
      const facts: unknown[] = [];
      const pid = await sys.clone(
        async (child, argv) => {
          facts.push(argv, await child.getcwd(), await child.umask(), [...(await child.environ())]);
          facts.push(await child.read(fd, new Uint8Array(3)), await child.getppid());
          return 300;
        },
        { argv: ["sub"] },
      );
      expect((await sys.wait({ pid }))?.status).toEqual({ kind: "exited", code: 44 });
      expect(facts).toEqual([["sub"], "/home", 0o077, [["A", "1"]], 3, await sys.getpid()]);
    });
  });

  it("fails at the limits, for another's credentials, and for fds that are none", async () => {
    const test = await bootObserved({ limits: { maxProcesses: 2, maxArgvBytes: 10 } });
    const none: Program = async () => 0;
    await test.asUser(async (sys) => {
      await expectErrno(sys.clone(none), "EAGAIN");
      await expectErrno(sys.clone(none, { argv: ["0123456789"] }), "E2BIG");
      await expectErrno(sys.clone(none, { credentials: USER }), "EPERM");
      await expectErrno(sys.clone(none, { fds: [{ fd: 0, from: 9 }] }), "EBADF");
      await expectErrno(sys.clone(none, { argv: ["\0"] }), "EINVAL");
    });
  });
}

function describeExec(): void {
  it("replaces the image: same pid, kept fds, no more calls of the old one", async () => {
    const test = await bootObserved({ programs });
    const old: string[] = [];
    await test.asUser(async (sys) => {
      const [readFd, writeFd] = await sys.pipe();
      const pid = await sys.clone(async (plain) => {
        const child = test.observe(plain);
        await child.dup2(writeFd, 1);
        await child.fcntl(readFd, { request: "F_SETFD", isCloseOnExec: true });
        await child.sigaction(signals.SIGTERM, "catch");
        await child.sigaction(signals.SIGHUP, "ignore");
        try {
          return await child.exec({ path: "/bin/self", argv: ["new"], env: new Map([["B", "2"]]) });
        } finally {
          await child.getpid().catch((error: Error) => old.push(error.name));
        }
      });
      await sys.close(1);
      expect(JSON.parse(await readAll(sys, readFd))).toEqual({
        argv: ["new"],
        env: ["B=2"],
        cwd: "/tmp",
        fds: ["1"],
      });
      expect(await sys.wait({ pid })).toEqual({ pid, status: { kind: "exited", code: 7 } });
    });
    expect(old).toEqual(["ProcessEnded"]);
  });

  it("goes on with the old image when it fails", async () => {
    const test = await bootObserved({ programs, limits: { maxArgvBytes: 100 } });
    await test.asUser(async (sys) => {
      await writeText(sys, "plain", "no program", 0o755);
      await writeText(sys, "closed", "", 0o600);
      await expectErrno(sys.exec({ path: "missing", argv: [] }), "ENOENT");
      await expectErrno(sys.exec({ path: "plain", argv: [] }), "ENOEXEC");
      await expectErrno(sys.exec({ path: "closed", argv: [] }), "EACCES");
      await expectErrno(sys.exec({ path: "/bin/true", argv: ["x".repeat(100)] }), "E2BIG");
      await expectErrno(sys.exec({ path: "/bin/true", argv: ["\0"] }), "EINVAL");
      expect(await sys.getcwd()).toBe("/tmp");
    });
  });
}

function describeWait(): void {
  it("waits for one, for any, for a group, and does not wait with WNOHANG", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const codes = [1, 2, 3];
      const pids = [];
      for (const code of codes)
        pids.push(
          await sys.clone(async () => code, { pgid: code === 3 ? 0 : await sys.getpgid() }),
        );
      const [first = 0, second = 0, third = 0] = pids;
      expect(await sys.wait({ pid: second })).toEqual({
        pid: second,
        status: { kind: "exited", code: 2 },
      });
      expect((await sys.wait({ pid: -third }))?.pid).toBe(third);
      expect((await sys.wait({ pid: 0 }))?.pid).toBe(first);
      await expectErrno(sys.wait(), "ECHILD");
      const pid = await sys.clone(sleeper);
      expect(await sys.wait({ pid, flags: WNOHANG })).toBeUndefined();
      await expectErrno(sys.wait({ pid: 0x7fff, flags: WNOHANG }), "ECHILD");
      await expectErrno(sys.wait({ pid: -12_345 }), "ECHILD");
      const waiting = sys.wait({ pid });
      expect(await outcome(waiting)).toBe("waits");
      await sys.kill(pid, signals.SIGKILL);
      expect(await waiting).toEqual({ pid, status: { kind: "signaled", signal: signals.SIGKILL } });
    });
  });

  it("tells of stopped and continued children when asked", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const pid = await sys.clone(sleeper);
      await sys.kill(pid, signals.SIGSTOP);
      expect(await sys.wait({ pid, flags: WNOHANG })).toBeUndefined();
      const flags = WUNTRACED | WCONTINUED;
      expect((await sys.wait({ flags }))?.status).toEqual({
        kind: "stopped",
        signal: signals.SIGSTOP,
      });
      expect(await sys.wait({ flags: flags | WNOHANG })).toBeUndefined();
      await sys.kill(pid, signals.SIGCONT);
      expect((await sys.wait({ flags }))?.status).toEqual({ kind: "continued" });
      await sys.kill(pid, signals.SIGTERM);
      expect((await sys.wait({ flags }))?.status).toEqual({
        kind: "signaled",
        signal: signals.SIGTERM,
      });
    });
  });

  it("fails with EINTR, and for flags there are none of", async () => {
    const test: TestKernel = await bootObserved();
    await test.asUser(async (sys) => {
      await expectErrno(sys.wait({ flags: 64 }), "EINVAL");
      const pid = await sys.clone(sleeper);
      await interrupted(sys, (own) => own.wait());
      await sys.kill(pid, signals.SIGKILL);
      await sys.wait();
    });
  });
}
