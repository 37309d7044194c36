import { describe, expect, it } from "vitest";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import { Limits } from "../../../src/kernel/limits/limits.ts";
import { createPipe, type PipeParts } from "../../../src/kernel/pipe/pipe.ts";
import type { PipeEnd } from "../../../src/kernel/pipe/pipe-end.ts";
import { describeStreamContract } from "../../contract/stream-contract.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

const waiter = new TestWaiter();

describeStreamContract("pipe", () => ({
  ...makePipe(),
  afterWriterLeft: 0,
  whenWriterLeaves: 0,
  keepsBytesOfGoneWriter: true,
  afterReaderLeft: "EPIPE",
}));

describe("createPipe", () => {
  it("describes itself as Linux does in /proc/self/fd", async () => {
    const { readEnd, writeEnd } = makePipe({ ino: 42, uid: 1000, gid: 100, now: () => 5 });
    expect([readEnd.describe(), writeEnd.describe()]).toEqual(["pipe:[42]", "pipe:[42]"]);
    expect(await readEnd.stat()).toEqual({
      kind: "fifo",
      mode: 0o600,
      uid: 1000,
      gid: 100,
      size: 0,
      nlink: 1,
      ino: 42,
      dev: 0,
      rdev: 0,
      blocks: 0,
      atimeMs: 5,
      mtimeMs: 5,
      ctimeMs: 5,
    });
  });

  it("refuses the wrong direction with EBADF", async () => {
    const { readEnd, writeEnd } = makePipe();
    const bytes = new Uint8Array(1);
    await expect(readEnd.write(bytes, waiter)).rejects.toMatchObject({ errno: "EBADF" });
    await expect(writeEnd.read(bytes, waiter)).rejects.toMatchObject({ errno: "EBADF" });
  });

  it("is charged until both ends are released", () => {
    const limits = new Limits({ maxPipes: 1 }, () => {});
    const { readEnd, writeEnd } = makePipe({ limits });
    expect(() => makePipe({ limits })).toThrow("limits.maxPipes");
    readEnd.drop();
    expect(limits.used("maxPipes")).toBe(1);
    writeEnd.drop();
    expect(limits.used("maxPipes")).toBe(0);
  });

  it("lives as long as any descriptor holds an end", async () => {
    const { readEnd, writeEnd } = makePipe();
    writeEnd.retain();
    writeEnd.drop();
    expect(await outcome(readEnd.read(new Uint8Array(1), waiter))).toBe("waits");
  });

  it("gives both ends the status flags asked for", () => {
    const { readEnd, writeEnd } = makePipe({ flags: O_NONBLOCK });
    expect([readEnd.isNonBlocking, writeEnd.isNonBlocking]).toEqual([true, true]);
  });

  it("fails a write without a reader with EPIPE, but not one of no bytes", async () => {
    const { readEnd, writeEnd } = makePipe();
    readEnd.drop();
    await expect(writeEnd.write(Uint8Array.of(1), waiter)).rejects.toMatchObject({
      errno: "EPIPE",
    });
    expect(await writeEnd.write(new Uint8Array(0), waiter)).toBe(0);
  });

  it("says how much there is to read by FIONREAD and knows no other request", async () => {
    const { readEnd, writeEnd } = makePipe();
    await writeEnd.write(new Uint8Array(7), waiter);
    expect(await readEnd.ioctl({ request: "FIONREAD" })).toBe(7);
    await expect(readEnd.ioctl({ request: "TCGETS" })).rejects.toMatchObject({ errno: "ENOTTY" });
  });

  it("polls hang-up at the read end and error at the write end", async () => {
    const one = makePipe();
    await one.writeEnd.write(Uint8Array.of(1), waiter);
    one.writeEnd.drop();
    expect(one.readEnd.poll()).toBe(POLLIN | POLLHUP);
    await one.readEnd.read(new Uint8Array(1), waiter);
    expect(one.readEnd.poll()).toBe(POLLHUP);
    const other = makePipe();
    other.readEnd.drop();
    expect(other.writeEnd.poll()).toBe(POLLOUT | POLLERR);
  });

  it("polls no room when less than PIPE_BUF is free", async () => {
    const { readEnd, writeEnd } = makePipe();
    await writeEnd.write(new Uint8Array(65_536 - 4096), waiter);
    expect(writeEnd.poll()).toBe(POLLOUT);
    await writeEnd.write(new Uint8Array(1), waiter);
    expect(writeEnd.poll()).toBe(0);
    await readEnd.read(new Uint8Array(1), waiter);
    expect(writeEnd.poll()).toBe(POLLOUT);
  });
});

describe("writes of at most PIPE_BUF", () => {
  it("go in whole or wait, though a part would fit", async () => {
    const { readEnd, writeEnd } = makePipe({ capacityBytes: 8192 });
    await writeEnd.write(new Uint8Array(8000), waiter);
    const writing = writeEnd.write(new Uint8Array(4096).fill(1), waiter);
    expect(await outcome(writing)).toBe("waits");
    expect(await readEnd.read(new Uint8Array(10_000), waiter)).toBe(8000);
    expect(await writing).toBe(4096);
  });

  it("fail with EAGAIN under O_NONBLOCK where a larger write is short", async () => {
    const { writeEnd } = makePipe({ capacityBytes: 8192, flags: O_NONBLOCK });
    await writeEnd.write(new Uint8Array(5000), waiter);
    const small = writeEnd.write(new Uint8Array(4096), waiter);
    await expect(small).rejects.toMatchObject({ errno: "EAGAIN" });
    expect(await writeEnd.write(new Uint8Array(4097), waiter)).toBe(3192);
  });

  it("never mix with those of other writers", async () => {
    const { readEnd, writeEnd } = makePipe({ capacityBytes: 8192 });
    const sizes = [4096, 1000, 3001, 17];
    const writers = sizes.map(async (size, index) => {
      for (let round = 0; round < 20; round++) {
        await writeEnd.write(new Uint8Array(size).fill(index + 1), waiter);
      }
    });
    const all = await readAll(
      readEnd,
      sizes.reduce((sum, size) => sum + size * 20, 0),
      777,
    );
    await Promise.all(writers);
    expect(
      runsOf(all).filter(({ value, length }) => length % (sizes[value - 1] ?? 0) !== 0),
    ).toEqual([]);
  });
});

describe("writers in line", () => {
  it("gives a small write its turn though a large one always has more", async () => {
    const { readEnd, writeEnd } = makePipe({ capacityBytes: 4096 });
    const large = writeEnd.write(new Uint8Array(40_960).fill(1), waiter);
    const small = writeEnd.write(Uint8Array.of(2, 2, 2), waiter);
    await settle();
    const first = await readAll(readEnd, 12_288, 4096);
    expect(first.includes(2)).toBe(true);
    await readAll(readEnd, 40_963 - 12_288, 4096);
    expect([await large, await small]).toEqual([40_960, 3]);
  });

  it("lets the others on when one is interrupted", async () => {
    const { readEnd, writeEnd } = makePipe({ capacityBytes: 4096 });
    await writeEnd.write(new Uint8Array(4000), waiter);
    const interrupted = new TestWaiter();
    const first = writeEnd.write(new Uint8Array(4096), interrupted);
    const second = writeEnd.write(new Uint8Array(50), waiter);
    expect(await outcome(second)).toBe("waits");
    interrupted.interrupt();
    await expect(first).rejects.toMatchObject({ errno: "EINTR" });
    expect(await second).toBe(50);
    expect(await readEnd.read(new Uint8Array(9000), waiter)).toBe(4050);
  });
});

function makePipe(parts: Partial<PipeParts> = {}): { readEnd: PipeEnd; writeEnd: PipeEnd } {
  const limits = new Limits({}, () => {});
  const ends = createPipe({ ino: 1, limits, now: () => 0, ...parts });
  ends.readEnd.retain();
  ends.writeEnd.retain();
  return ends;
}

async function readAll(end: PipeEnd, size: number, chunk: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) at += await end.read(bytes.subarray(at, Math.min(size, at + chunk)), waiter);
  return bytes;
}

function runsOf(bytes: Uint8Array): { value: number; length: number }[] {
  const runs: { value: number; length: number }[] = [];
  for (const value of bytes) {
    const last = runs.at(-1);
    if (last?.value === value) last.length += 1;
    else runs.push({ value, length: 1 });
  }
  return runs;
}
