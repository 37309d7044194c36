import { describe, expect, it } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { addProcess, makePty, TestProcess, type TestPty } from "../../support/terminals.ts";
import { outcome, settle } from "../../support/waiter.ts";

describe("reading from a background group", () => {
  it("stops the group with SIGTTIN and goes on when it is continued in the foreground", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    const reading = pty.slave.read(new Uint8Array(10), child);
    expect(await outcome(reading)).toBe("waits");
    expect([child.state, pty.jobs.sent]).toEqual(["stopped", ["SIGTTIN to group 9"]]);
    pty.terminal.foregroundPgid = 9;
    child.continue();
    await pty.master.write(new TextEncoder().encode("hi\n"), pty.leader);
    expect(await reading).toBe(3);
  });

  it("stops it again when it is continued in the background", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    const reading = pty.slave.read(new Uint8Array(10), child);
    await settle();
    child.continue();
    expect(await outcome(reading)).toBe("waits");
    expect([child.state, pty.jobs.sent.length]).toEqual(["stopped", 2]);
  });

  it("fails with EIO where SIGTTIN is ignored or blocked", async () => {
    const pty = await makeControlled();
    const ignoring = addProcess(pty, 9);
    ignoring.signals.setDisposition(signals.SIGTTIN, "ignore");
    const blocking = addProcess(pty, 10);
    blocking.signals.setBlocked([signals.SIGTTIN]);
    for (const child of [ignoring, blocking]) {
      const reading = pty.slave.read(new Uint8Array(1), child);
      await expect(reading).rejects.toMatchObject({ errno: "EIO" });
    }
    expect(pty.jobs.sent).toEqual([]);
  });

  it("fails with EIO in an orphaned group", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    pty.jobs.orphaned.add(9);
    const reading = pty.slave.read(new Uint8Array(1), child);
    await expect(reading).rejects.toMatchObject({ errno: "EIO" });
  });

  it("fails with EINTR where SIGTTIN is caught", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    child.signals.setDisposition(signals.SIGTTIN, "catch");
    const reading = pty.slave.read(new Uint8Array(1), child);
    await expect(reading).rejects.toMatchObject({ errno: "EINTR" });
  });

  it("is free for a process of another session", async () => {
    const pty = await makeControlled();
    const stranger = new TestProcess(20, { sid: 20, terminal: undefined });
    pty.jobs.processes.push(stranger);
    await pty.master.write(new TextEncoder().encode("hi\n"), pty.leader);
    expect(await pty.slave.read(new Uint8Array(10), stranger)).toBe(3);
  });
});

describe("writing from a background group", () => {
  it("is free without TOSTOP and stops the group with it", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    expect(await pty.slave.write(Uint8Array.of(65), child)).toBe(1);
    setTostop(pty);
    expect(await outcome(pty.slave.write(Uint8Array.of(65), child))).toBe("waits");
    expect(pty.jobs.sent).toEqual(["SIGTTOU to group 9"]);
  });

  it("goes on where SIGTTOU is ignored", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    child.signals.setDisposition(signals.SIGTTOU, "ignore");
    setTostop(pty);
    expect(await pty.slave.write(Uint8Array.of(65), child)).toBe(1);
  });

  it("stops a group that changes the settings", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    const { termios } = pty.terminal;
    const setting = pty.slave.ioctl({ request: "TCSETS", termios }, child);
    expect(await outcome(setting)).toBe("waits");
    expect(pty.jobs.sent).toEqual(["SIGTTOU to group 9"]);
  });
});

describe("TIOCSCTTY", () => {
  it("gives a terminal to a session, whose leader's group is in the foreground", async () => {
    const { slave, terminal, leader } = await makeControlled();
    expect(terminal.session).toBe(leader.session);
    expect(leader.session.terminal).toBe(terminal);
    expect(await slave.ioctl({ request: "TIOCGPGRP" }, leader)).toBe(7);
    expect(await slave.ioctl({ request: "TIOCGSID" }, leader)).toBe(7);
    expect(await slave.ioctl({ request: "TIOCSCTTY" }, leader)).toBe(undefined);
  });

  it("fails with EPERM for who leads no session, and for a terminal or session that has one", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    const other = new TestProcess(20, { sid: 20, terminal: undefined });
    const second = pty.table.create(pty.leader);
    const tries = [
      pty.slave.ioctl({ request: "TIOCSCTTY" }, child),
      pty.slave.ioctl({ request: "TIOCSCTTY" }, other),
      second.slave.ioctl({ request: "TIOCSCTTY" }, pty.leader),
    ];
    for (const attempt of tries) await expect(attempt).rejects.toMatchObject({ errno: "EPERM" });
  });
});

describe("TIOCNOTTY", () => {
  it("gives the terminal up and hangs up the foreground group when the leader asks", async () => {
    const { slave, terminal, leader, jobs } = await makeControlled();
    await slave.ioctl({ request: "TIOCNOTTY" }, leader);
    expect([terminal.session, leader.session.terminal]).toEqual([undefined, undefined]);
    expect(jobs.sent).toEqual(["SIGHUP to group 7", "SIGCONT to group 7"]);
  });

  it("changes nothing for another process of the session", async () => {
    const pty = await makeControlled();
    await pty.slave.ioctl({ request: "TIOCNOTTY" }, addProcess(pty, 9));
    expect(pty.leader.session.terminal).toBe(pty.terminal);
  });

  it("fails with ENOTTY for a terminal that is not the caller's", async () => {
    const { slave, leader } = makePty();
    const giving = slave.ioctl({ request: "TIOCNOTTY" }, leader);
    await expect(giving).rejects.toMatchObject({ errno: "ENOTTY" });
  });
});

describe("TIOCSPGRP", () => {
  it("puts a group of the session into the foreground", async () => {
    const pty = await makeControlled();
    addProcess(pty, 9);
    await pty.slave.ioctl({ request: "TIOCSPGRP", pgid: 9 }, pty.leader);
    expect(await pty.master.ioctl({ request: "TIOCGPGRP" }, pty.leader)).toBe(9);
  });

  it.each([
    ["a group that is not there", 99, "ESRCH"],
    ["a negative number", -1, "EINVAL"],
    ["a group of another session", 20, "EPERM"],
  ])("fails for %s", async (_, pgid, errno) => {
    const pty = await makeControlled();
    pty.jobs.processes.push(new TestProcess(20, { sid: 20, terminal: undefined }));
    const setting = pty.slave.ioctl({ request: "TIOCSPGRP", pgid }, pty.leader);
    await expect(setting).rejects.toMatchObject({ errno });
  });

  it("fails with ENOTTY for a terminal that is not the caller's", async () => {
    const { slave, leader } = makePty();
    const setting = slave.ioctl({ request: "TIOCSPGRP", pgid: 7 }, leader);
    await expect(setting).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it("fails with ENOTTY from an orphaned background group", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    pty.jobs.orphaned.add(9);
    const setting = pty.slave.ioctl({ request: "TIOCSPGRP", pgid: 9 }, child);
    await expect(setting).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it("lets a background shell that ignores SIGTTOU take the terminal back", async () => {
    const pty = await makeControlled();
    const child = addProcess(pty, 9);
    child.signals.setDisposition(signals.SIGTTOU, "ignore");
    await pty.slave.ioctl({ request: "TIOCSPGRP", pgid: 9 }, child);
    expect(pty.terminal.foregroundPgid).toBe(9);
  });
});

async function makeControlled(): Promise<TestPty> {
  const pty = makePty();
  await pty.slave.ioctl({ request: "TIOCSCTTY" }, pty.leader);
  return pty;
}

function setTostop({ terminal }: TestPty): void {
  const { termios } = terminal;
  terminal.termios = { ...termios, lflag: { ...termios.lflag, TOSTOP: true } };
}
