import { describe, expect, it } from "vitest";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import type { Termios } from "../../../src/kernel/abi/terminal.ts";
import type { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { makeRaw } from "../../../src/kernel/pty/termios.ts";
import { describeStreamContract } from "../../contract/stream-contract.ts";
import { makePty, openAgain, type TestPty } from "../../support/terminals.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

describeStreamContract("raw terminal, master to slave", () => {
  const { master, slave } = makeRawPty();
  return {
    readEnd: slave,
    writeEnd: master,
    afterWriterLeft: 0,
    whenWriterLeaves: "EIO",
    keepsBytesOfGoneWriter: false,
    afterReaderLeft: "waits",
  };
});

describeStreamContract("raw terminal, slave to master", () => {
  const { master, slave } = makeRawPty();
  return {
    readEnd: master,
    writeEnd: slave,
    afterWriterLeft: "EIO",
    whenWriterLeaves: "EIO",
    keepsBytesOfGoneWriter: true,
    afterReaderLeft: "EIO",
  };
});

describe("a canonical terminal", () => {
  it("holds a read until a line is complete, and echoes meanwhile", async () => {
    const { master, slave } = makePty();
    const reading = readText(slave);
    await type(master, "hel");
    expect(await outcome(reading)).toBe("waits");
    await type(master, "lo\r");
    expect(await reading).toBe("hello\n");
    expect(await readText(master)).toBe("hello\r\n");
  });

  it("reads 0 at end of file and goes on after it", async () => {
    const { master, slave } = makePty();
    await type(master, "\x04next\n");
    expect(await readText(slave)).toBe("");
    expect(await readText(slave)).toBe("next\n");
  });

  it("holds what is typed beyond its buffer and lets it in line by line", async () => {
    const { master, slave } = makeQuietPty();
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}\n`);
    const typing = master.write(new TextEncoder().encode(lines.join("")), new TestWaiter());
    expect(await outcome(typing)).toBe("waits");
    for (const line of lines) expect(await readText(slave)).toBe(line);
    expect(await typing).toBe(lines.join("").length);
  });

  it("forgets echoes nobody looks at, rather than growing", async () => {
    const { master, slave } = makePty();
    for (let round = 0; round < 40; round++) {
      await type(master, `${"\x01".repeat(2000)}\n`);
      await readText(slave);
    }
    const shown = await readAvailable(master);
    expect(shown.length).toBeLessThanOrEqual(65_536 + 2 * 4096);
  });
});

describe("typing without end", () => {
  it("lets others run in between, and stops where it is interrupted", async () => {
    const { master, leader } = makePty();
    const typing = master.write(new Uint8Array(1 << 20).fill(0x61), leader);
    await settle();
    leader.interrupt();
    const count = await typing;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(1 << 20);
    expect(count % 32_768).toBe(0);
  });
});

describe("a raw terminal's VMIN and VTIME", () => {
  it("waits for VMIN bytes", async () => {
    const { master, slave } = makeRawPty({ VMIN: 3 });
    const reading = readText(slave);
    await type(master, "ab");
    expect(await outcome(reading)).toBe("waits");
    expect(slave.poll() & POLLIN).toBe(0);
    await type(master, "c");
    expect(await reading).toBe("abc");
  });

  it("waits for no more than the buffer holds", async () => {
    const { master, slave } = makeRawPty({ VMIN: 9 });
    await type(master, "ab");
    expect(await slave.read(new Uint8Array(2), new TestWaiter())).toBe(2);
  });

  it("answers what there is at once with both 0", async () => {
    const { master, slave } = makeRawPty({ VMIN: 0 });
    expect(await readText(slave)).toBe("");
    await type(master, "ab");
    expect(await readText(slave)).toBe("ab");
  });

  it("waits VTIME tenths of a second for a first byte with VMIN 0", async () => {
    const pty = makeRawPty({ VMIN: 0, VTIME: 3 });
    const none = readText(pty.slave, pty.leader);
    await settle();
    await pty.clock.advance(299);
    expect(await outcome(none)).toBe("waits");
    await pty.clock.advance(1);
    expect(await none).toBe("");
    const one = readText(pty.slave, pty.leader);
    await settle();
    await pty.clock.advance(200);
    await type(pty.master, "x");
    expect(await one).toBe("x");
    expect(pty.clock.timers).toBe(0);
  });

  it("ends VTIME after the last byte with VMIN, and waits for ever before the first", async () => {
    const pty = makeRawPty({ VMIN: 5, VTIME: 2 });
    const reading = readText(pty.slave, pty.leader);
    await settle();
    await pty.clock.advance(100_000);
    expect(await outcome(reading)).toBe("waits");
    await type(pty.master, "a");
    await settle();
    await pty.clock.advance(150);
    await type(pty.master, "b");
    await settle();
    await pty.clock.advance(150);
    expect(await outcome(reading)).toBe("waits");
    await pty.clock.advance(50);
    expect(await reading).toBe("ab");
  });

  it("answers what an interrupted read has got", async () => {
    const { master, slave, leader } = makeRawPty({ VMIN: 5 });
    const reading = readText(slave, leader);
    await type(master, "ab");
    await settle();
    leader.interrupt();
    expect(await reading).toBe("ab");
  });
});

describe("stopped output", () => {
  it("holds a writer until it is started, and polls not writable", async () => {
    const { master, slave } = makePty();
    await type(master, "\x13");
    const writing = slave.write(new TextEncoder().encode("out\n"), new TestWaiter());
    expect([await outcome(writing), slave.poll()]).toEqual(["waits", 0]);
    await type(master, "\x11");
    expect(await writing).toBe(4);
    expect(await readText(master)).toBe("out\r\n");
  });
});

describe("a closed slave", () => {
  it("fails the master's reads with EIO once everything is read, until it is opened again", async () => {
    const pty = makePty();
    const { master, slave } = pty;
    await slave.write(new TextEncoder().encode("bye"), new TestWaiter());
    slave.drop();
    expect(master.poll()).toBe(POLLIN | POLLOUT | POLLHUP);
    expect(await readText(master)).toBe("bye");
    await expect(readText(master)).rejects.toMatchObject({ errno: "EIO" });
    const again = openAgain(pty);
    expect(master.poll()).toBe(POLLOUT);
    await type(master, "hi\n");
    expect(await readText(again)).toBe("hi\n");
  });

  it("counts only when it is the last", async () => {
    const pty = makePty();
    const second = openAgain(pty);
    pty.slave.drop();
    expect(pty.master.poll()).toBe(POLLOUT);
    second.drop();
    expect(pty.master.poll()).toBe(POLLOUT | POLLHUP);
  });
});

describe("a closed master", () => {
  it("hangs the slave up: reads end, the rest fails with EIO", async () => {
    const { master, slave, leader } = makePty();
    await type(master, "lost\n");
    master.drop();
    expect(slave.poll()).toBe(POLLIN | POLLOUT | POLLERR | POLLHUP);
    expect(await readText(slave)).toBe("");
    const writing = slave.write(Uint8Array.of(1), leader);
    await expect(writing).rejects.toMatchObject({ errno: "EIO" });
    const asking = slave.ioctl({ request: "TCGETS" }, leader);
    await expect(asking).rejects.toMatchObject({ errno: "EIO" });
    const setting = slave.ioctl({ request: "TIOCSPGRP", pgid: 7 }, leader);
    await expect(setting).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it("takes the terminal from the session and signals its leader and foreground group", async () => {
    const { master, slave, terminal, leader, jobs } = makePty();
    await slave.ioctl({ request: "TIOCSCTTY" }, leader);
    terminal.foregroundPgid = 9;
    master.drop();
    expect(jobs.sent).toEqual([
      "SIGHUP to process 7",
      "SIGCONT to process 7",
      "SIGHUP to group 9",
      "SIGCONT to group 9",
    ]);
    expect([leader.session.terminal, terminal.session]).toEqual([undefined, undefined]);
  });

  it("answers a waiting write with what it has written", async () => {
    const { master, slave } = makeRawPty();
    const writing = slave.write(new Uint8Array(100_000), new TestWaiter());
    await settle();
    master.drop();
    expect(await writing).toBe(65_536);
  });
});

function makeRawPty(cc: Partial<Termios["cc"]> = {}): TestPty {
  const pty = makePty();
  const raw = makeRaw(pty.terminal.termios);
  pty.terminal.termios = { ...raw, cc: { ...raw.cc, ...cc } };
  return pty;
}

function makeQuietPty(): TestPty {
  const pty = makePty();
  const { termios } = pty.terminal;
  pty.terminal.termios = { ...termios, lflag: { ...termios.lflag, ECHO: false } };
  return pty;
}

async function type(master: OpenFile, text: string): Promise<void> {
  await master.write(new TextEncoder().encode(text), new TestWaiter());
}

async function readText(file: OpenFile, waiter = new TestWaiter()): Promise<string> {
  const into = new Uint8Array(1000);
  const count = await file.read(into, waiter);
  return new TextDecoder().decode(into.subarray(0, count));
}

async function readAvailable(file: OpenFile): Promise<string> {
  file.flags |= O_NONBLOCK;
  let text = "";
  while ((file.poll() & POLLIN) !== 0) text += await readText(file);
  return text;
}
