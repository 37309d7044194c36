import { describe, expect, it } from "vitest";
import { O_NONBLOCK, O_RDWR } from "../../../src/kernel/abi/open-flags.ts";
import { Limits } from "../../../src/kernel/limits/limits.ts";
import {
  makeDevice,
  PTMX_DEVICE,
  slaveDevice,
  slaveNumber,
  TTY_DEVICE,
} from "../../../src/kernel/pty/device-numbers.ts";
import { PtySlave } from "../../../src/kernel/pty/pty-slave.ts";
import { PtyTable } from "../../../src/kernel/pty/pty-table.ts";
import { makePty, TestProcess } from "../../support/terminals.ts";

describe("PtyTable", () => {
  it("gives the lowest free number, free again when both sides are closed", () => {
    const { table, leader, master, slave, limits } = makePty();
    const second = table.create(leader);
    expect([second.number, table.list()]).toEqual([1, [0, 1]]);
    master.drop();
    expect([table.list(), table.create(leader).number]).toEqual([[1], 2]);
    slave.drop();
    expect([table.create(leader).number, limits.used("maxPtys")]).toEqual([0, 3]);
  });

  it("fails with ENOSPC at its limit", () => {
    const { jobs, leader } = makePty();
    const limits = new Limits({ maxPtys: 1 }, () => {});
    const table = new PtyTable({ limits, jobs, now: () => 0, monotonic: () => 0 });
    table.create(leader);
    expect(() => table.create(leader)).toThrow("limits.maxPtys");
  });

  it("shows a slave as Linux's devpts does, and lets its mode and owner be changed", async () => {
    const { table, slave, master } = makePty();
    const stat = {
      kind: "device",
      mode: 0o620,
      uid: 0,
      gid: 5,
      size: 0,
      nlink: 1,
      ino: 3,
      dev: 0,
      rdev: 0x8800,
      blocks: 0,
      atimeMs: 1000,
      mtimeMs: 1000,
      ctimeMs: 1000,
    };
    expect(await slave.stat()).toEqual(stat);
    table.setAttributes(0, { mode: 0o600, uid: 1000 });
    expect(table.findStat(0)).toEqual({ ...stat, mode: 0o600, uid: 1000 });
    expect(await master.stat()).toMatchObject({ rdev: 0x502, mode: 0o666 });
    expect([slave.describe(), master.describe()]).toEqual(["/dev/pts/0", "/dev/ptmx"]);
  });

  it("knows nothing of numbers that are not there", () => {
    const { table } = makePty();
    expect(table.findStat(5)).toBe(undefined);
    expect(() => table.openSlave(5, O_RDWR)).toThrow("ENXIO");
    expect(() => table.setAttributes(5, {})).toThrow("ENOENT");
  });

  it("opens terminals by their device and no other", () => {
    const { table, leader, terminal } = makePty();
    const slave = table.open(slaveDevice(0), O_RDWR | O_NONBLOCK, leader);
    expect(slave).toBeInstanceOf(PtySlave);
    expect(slave?.isNonBlocking).toBe(true);
    expect(table.open(PTMX_DEVICE, O_RDWR, leader)?.describe()).toBe("/dev/ptmx");
    expect(table.list()).toEqual([0, 1]);
    expect(() => table.open(TTY_DEVICE, O_RDWR, leader)).toThrow("ENXIO: /dev/tty");
    leader.session.terminal = terminal;
    expect(table.open(TTY_DEVICE, O_RDWR, leader)?.describe()).toBe("/dev/pts/0");
    expect(table.open(makeDevice(1, 3), O_RDWR, leader)).toBe(undefined);
  });

  it("makes a slave the terminal of a session leader without one", () => {
    const { table, slave, master, leader, terminal } = makePty();
    table.adopt(master, leader);
    table.adopt(slave, new TestProcess(9, leader.session));
    expect(leader.session.terminal).toBe(undefined);
    table.adopt(slave, leader);
    expect(leader.session.terminal).toBe(terminal);
    const other = new TestProcess(20, { sid: 20, terminal: undefined });
    table.adopt(slave, other);
    expect(other.session.terminal).toBe(undefined);
  });
});

describe("device numbers", () => {
  it("are Linux's, past 255 as well", () => {
    expect([TTY_DEVICE, PTMX_DEVICE, slaveDevice(1), slaveDevice(300)]).toEqual([
      0x500, 0x502, 0x8801, 0x10882c,
    ]);
    expect([slaveNumber(0x8801), slaveNumber(0x10882c), slaveNumber(0x502)]).toEqual([
      1,
      300,
      undefined,
    ]);
  });
});
