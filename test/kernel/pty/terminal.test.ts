/** Terminals among real processes of a real kernel: who is stopped, signalled, hung up. */
import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { decodeText, encodeText } from "../../../src/kernel/abi/text.ts";
import { WUNTRACED } from "../../../src/kernel/abi/wait-status.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import type { KernelHost } from "../../../src/kernel/host.ts";
import { Kernel } from "../../../src/kernel/kernel.ts";
import type { Program } from "../../../src/kernel/process/program.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { ManualClock, settle } from "../../support/waiter.ts";

const STDIN = 0;
const STDOUT = 1;

describe("a terminal's session", () => {
  it("stops a background reader and lets it go on in the foreground", async () => {
    const { sys, master, run } = await makeTerminal();
    const child: Program = async (own) => {
      const line = await readText(own, STDIN);
      return line === "hi\n" ? 42 : 1;
    };
    const leader = await run(async (own) => {
      const pid = await own.clone(child, { pgid: 0 });
      const stopped = await own.wait({ pid, flags: WUNTRACED });
      await say(own, JSON.stringify(stopped?.status));
      await own.ioctl(STDIN, { request: "TIOCSPGRP", pgid: pid });
      await own.kill(-pid, signals.SIGCONT);
      const ended = await own.wait({ pid });
      return ended?.status.kind === "exited" ? ended.status.code : 1;
    });
    expect(await readText(sys, master)).toBe('{"kind":"stopped","signal":21}');
    await sys.write(master, encodeText("hi\n"));
    expect(await sys.wait({ pid: leader })).toEqual({
      pid: leader,
      status: { kind: "exited", code: 42 },
    });
  });

  it("ends the foreground group by ^C and leaves the shell that leads the session", async () => {
    const { sys, master, run } = await makeTerminal();
    const sleeper: Program = async (own) => {
      await readText(own, STDIN);
      return 0;
    };
    const leader = await run(async (own) => {
      const pid = await own.clone(sleeper, { pgid: 0, isForeground: true });
      await say(own, "ready");
      const ended = await own.wait({ pid });
      return ended?.status.kind === "signaled" ? ended.status.signal : 99;
    });
    expect(await readText(sys, master)).toBe("ready");
    await sys.write(master, encodeText("\x03"));
    expect(await sys.wait({ pid: leader })).toEqual({
      pid: leader,
      status: { kind: "exited", code: signals.SIGINT },
    });
  });

  it("fails the read of a background process whose group nobody could continue", async () => {
    const { sys, master, run } = await makeTerminal();
    const leader = await run(async (own) => {
      const [ready, go] = await own.pipe();
      const orphan: Program = async (inner) => {
        await readText(inner, ready);
        await readText(inner, STDIN).catch((error: { errno: string }) => say(inner, error.errno));
        return 0;
      };
      const parent: Program = async (inner) => {
        await inner.clone(orphan);
        return 0;
      };
      await own.wait({ pid: await own.clone(parent, { pgid: 0 }) });
      await own.write(go, encodeText("go"));
      return (await readText(own, STDIN)) === "" ? 7 : 1;
    });
    expect(await readText(sys, master)).toBe("EIO");
    await sys.write(master, encodeText("\x04"));
    expect(await sys.wait({ pid: leader })).toEqual({
      pid: leader,
      status: { kind: "exited", code: 7 },
    });
  });

  it("hangs up when the master is closed", async () => {
    const { sys, master, run } = await makeTerminal();
    const leader = await run(async (own) => {
      await say(own, "ready");
      await readText(own, STDIN);
      return 0;
    });
    expect(await readText(sys, master)).toBe("ready");
    await sys.close(master);
    expect(await sys.wait({ pid: leader })).toEqual({
      pid: leader,
      status: { kind: "signaled", signal: signals.SIGHUP },
    });
  });

  it("tells the foreground group of a new window size", async () => {
    const { sys, master, run } = await makeTerminal();
    const leader = await run(async (own) => {
      await own.sigaction(signals.SIGWINCH, "catch");
      await say(own, "ready");
      const signal = await own.sigtimedwait([signals.SIGWINCH]);
      return signal ?? 0;
    });
    expect(await readText(sys, master)).toBe("ready");
    await sys.ioctl(master, { request: "TIOCSWINSZ", size: { rows: 5, cols: 6 } });
    expect(await sys.wait({ pid: leader })).toEqual({
      pid: leader,
      status: { kind: "exited", code: signals.SIGWINCH },
    });
  });

  it("frees the terminal when its leader ends", async () => {
    const { sys, kernel, master, run } = await makeTerminal();
    const first = await run(async () => 0);
    await sys.wait({ pid: first });
    expect(await sys.ioctl(master, { request: "TIOCGPGRP" })).toBe(0);
    const second = await run(async () => 0);
    expect(await sys.wait({ pid: second })).toEqual({
      pid: second,
      status: { kind: "exited", code: 0 },
    });
    await sys.close(master);
    await settle();
    expect(kernel.ptys.list()).toEqual([]);
  });
});

/** A kernel with a terminal whose master pid 1 holds; `run` starts a session on the slave. */
async function makeTerminal() {
  const clock = new ManualClock();
  const host: KernelHost = {
    now: () => 0,
    monotonic: clock.monotonic,
    setTimer: (delayMs, fire) => clock.setTimer(clock.monotonic() + delayMs, fire),
    threadCpuMs: () => 0,
    cpus: 1,
    takeMemoryShortage: () => false,
    tellSession: () => undefined,
    yieldTurn: settle,
    random: (into) => into.fill(4),
    log: ({ message, cause }) => {
      throw new Error(message, { cause });
    },
    warnLimit: () => {},
    ask: async () => "deny",
  };
  const root = (): MemoryFileSystem => new MemoryFileSystem({ now: () => 0 });
  const kernel = new Kernel({ host, root, executors: [] });
  const sys = kernel.sysOf(kernel.init);
  const { master, slave } = await sys.openpty();
  const run = (program: Program): Promise<number> => {
    const session: Program = async (own, argv) => {
      await own.ioctl(STDIN, { request: "TIOCSCTTY" });
      return program(own, argv);
    };
    const fds = [
      { fd: 8, from: slave },
      { fd: master, close: true },
      { fd: STDIN, from: slave },
      { fd: STDOUT, from: slave },
      { fd: 8, close: true },
    ] as const;
    return sys.clone(session, { isSessionLeader: true, pgid: 0, fds });
  };
  return { kernel, sys, master, slave, run };
}

async function say(sys: Sys, text: string): Promise<void> {
  await sys.write(STDOUT, encodeText(text));
}

async function readText(sys: Sys, fd: number): Promise<string> {
  const into = new Uint8Array(1000);
  return decodeText(into.subarray(0, await sys.read(fd, into)));
}
