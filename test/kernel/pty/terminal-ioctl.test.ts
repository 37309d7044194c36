import { describe, expect, it } from "vitest";
import type { WindowSize } from "../../../src/kernel/abi/terminal.ts";
import { DEFAULT_TERMIOS, makeRaw } from "../../../src/kernel/pty/termios.ts";
import { makePty } from "../../support/terminals.ts";

describe("TCGETS and TCSETS", () => {
  it("are about one terminal at both sides", async () => {
    const { master, slave, leader } = makePty();
    const termios = makeRaw(DEFAULT_TERMIOS);
    expect(await slave.ioctl({ request: "TCGETS" }, leader)).toEqual(DEFAULT_TERMIOS);
    await master.ioctl({ request: "TCSETS", termios, drain: true }, leader);
    expect(await slave.ioctl({ request: "TCGETS" }, leader)).toEqual(termios);
  });

  it("discard input only when asked to", async () => {
    const { master, slave, leader } = makePty();
    const termios = DEFAULT_TERMIOS;
    await master.write(new TextEncoder().encode("line\n"), leader);
    await slave.ioctl({ request: "TCSETS", termios }, leader);
    expect(await slave.ioctl({ request: "FIONREAD" }, leader)).toBe(5);
    await slave.ioctl({ request: "TCSETS", termios, flush: true }, leader);
    expect(await slave.ioctl({ request: "FIONREAD" }, leader)).toBe(0);
  });

  it.each([-1, 256, 1.5])("refuse the character %d with EINVAL", async (VINTR) => {
    const { slave, leader } = makePty();
    const termios = { ...DEFAULT_TERMIOS, cc: { ...DEFAULT_TERMIOS.cc, VINTR } };
    const setting = slave.ioctl({ request: "TCSETS", termios }, leader);
    await expect(setting).rejects.toMatchObject({ errno: "EINVAL" });
  });

  it("keep nothing of the caller's object", async () => {
    const { slave, leader } = makePty();
    const cc = { ...DEFAULT_TERMIOS.cc };
    await slave.ioctl({ request: "TCSETS", termios: { ...DEFAULT_TERMIOS, cc } }, leader);
    cc.VINTR = 99;
    expect(await slave.ioctl({ request: "TCGETS" }, leader)).toEqual(DEFAULT_TERMIOS);
  });
});

describe("TIOCSWINSZ", () => {
  it("tells the foreground group of a new size, and of no other", async () => {
    const { master, slave, leader, jobs } = makePty();
    await slave.ioctl({ request: "TIOCSCTTY" }, leader);
    const size = { rows: 50, cols: 132 };
    await master.ioctl({ request: "TIOCSWINSZ", size }, leader);
    await master.ioctl({ request: "TIOCSWINSZ", size }, leader);
    expect(await slave.ioctl({ request: "TIOCGWINSZ" }, leader)).toEqual(size);
    expect(jobs.sent).toEqual(["SIGWINCH to group 7"]);
  });

  it("tells nobody without a foreground group", async () => {
    const { master, leader, jobs } = makePty();
    await master.ioctl({ request: "TIOCSWINSZ", size: { rows: 1, cols: 1 } }, leader);
    expect(jobs.sent).toEqual([]);
  });

  it.each<WindowSize>([
    { rows: -1, cols: 80 },
    { rows: 24, cols: 65_536 },
    { rows: 24.5, cols: 80 },
  ])("refuses $rows by $cols with EINVAL", async (size) => {
    const { slave, leader } = makePty();
    const setting = slave.ioctl({ request: "TIOCSWINSZ", size }, leader);
    await expect(setting).rejects.toMatchObject({ errno: "EINVAL" });
  });
});

describe("requests about the session", () => {
  it("answer at the master without a session: no group, and ENOTTY for the session", async () => {
    const { master, leader } = makePty();
    expect(await master.ioctl({ request: "TIOCGPGRP" }, leader)).toBe(0);
    const asking = master.ioctl({ request: "TIOCGSID" }, leader);
    await expect(asking).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it.each(["TIOCGPGRP", "TIOCGSID"] as const)(
    "fail %s at a slave that is not the caller's terminal with ENOTTY",
    async (request) => {
      const { slave, leader } = makePty();
      await expect(slave.ioctl({ request }, leader)).rejects.toMatchObject({ errno: "ENOTTY" });
    },
  );
});

describe("TIOCGPTN and FIONREAD", () => {
  it("give the number at the master only", async () => {
    const { master, slave, leader } = makePty();
    expect(await master.ioctl({ request: "TIOCGPTN" }, leader)).toBe(0);
    const asking = slave.ioctl({ request: "TIOCGPTN" }, leader);
    await expect(asking).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it("count what each side can read", async () => {
    const { master, slave, leader } = makePty();
    await master.write(new TextEncoder().encode("ab\x04c"), leader);
    expect(await slave.ioctl({ request: "FIONREAD" }, leader)).toBe(2);
    expect(await master.ioctl({ request: "FIONREAD" }, leader)).toBe(3);
  });
});
