import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Errno } from "../../src/kernel/abi/errno.ts";
import { O_NONBLOCK } from "../../src/kernel/abi/open-flags.ts";
import { POLLIN, POLLOUT } from "../../src/kernel/abi/poll.ts";
import type { OpenFile } from "../../src/kernel/fd/open-file.ts";
import { decodeText, encodeText } from "../../src/kernel/index.ts";
import { outcome, settle, TestWaiter } from "../support/waiter.ts";

/** Two ends of a byte stream, each held once, and what is particular about its kind. */
export interface StreamUnderTest {
  readonly readEnd: OpenFile;
  readonly writeEnd: OpenFile;
  /** What a read gives once the other side has left and everything is read. */
  readonly afterWriterLeft: 0 | Errno;
  /** What a read that waits gives when the other side leaves. */
  readonly whenWriterLeaves: 0 | Errno;
  /** Whether bytes outlive the end that wrote them. */
  readonly keepsBytesOfGoneWriter: boolean;
  /**
   * What a write gives once the reader has left; "waits" where the next reader gets it, "taken" where
   * somebody takes it all the same.
   */
  readonly afterReaderLeft: Errno | "waits" | "taken";
}

const MEBIBYTE = 1 << 20;

/** What every byte stream (pipe, FIFO, raw terminal) must do. */
export function describeStreamContract(
  name: string,
  make: () => StreamUnderTest | Promise<StreamUnderTest>,
): void {
  describe(`${name} (stream contract)`, () => {
    describeTransfer(make);
    describeLines(make);
    describeWaiting(make);
    describeNonBlocking(make);
    describeLeaving(make);
  });
}

type Make = Parameters<typeof describeStreamContract>[1];

function describeTransfer(make: Make): void {
  it("carries every byte value unchanged and in order", async () => {
    const { readEnd, writeEnd } = await make();
    const sent = Uint8Array.from({ length: 256 }, (_, value) => value);
    expect(await writeEnd.write(sent, new TestWaiter())).toBe(256);
    expect(await readExactly(readEnd, 256)).toEqual(sent);
  });

  it("reads what there is without waiting to fill the buffer", async () => {
    const { readEnd, writeEnd } = await make();
    await writeEnd.write(Uint8Array.of(1, 2, 3), new TestWaiter());
    const into = new Uint8Array(10);
    expect(await readEnd.read(into, new TestWaiter())).toBe(3);
    expect(into).toEqual(Uint8Array.of(1, 2, 3, 0, 0, 0, 0, 0, 0, 0));
  });

  it("leaves what a small read does not take for the next", async () => {
    const { readEnd, writeEnd } = await make();
    await writeEnd.write(Uint8Array.of(1, 2, 3), new TestWaiter());
    expect(await readExactly(readEnd, 2)).toEqual(Uint8Array.of(1, 2));
    expect(await readExactly(readEnd, 1)).toEqual(Uint8Array.of(3));
  });

  it("reads and writes nothing at once when asked for no bytes", async () => {
    const { readEnd, writeEnd } = await make();
    expect(await outcome(readEnd.read(new Uint8Array(0), new TestWaiter()))).toBe(0);
    expect(await outcome(writeEnd.write(new Uint8Array(0), new TestWaiter()))).toBe(0);
  });

  it("carries a mebibyte in one write past a reader of odd sizes", async () => {
    const { readEnd, writeEnd } = await make();
    const sent = pattern(MEBIBYTE);
    const writing = writeEnd.write(sent, new TestWaiter());
    expectSame(await readExactly(readEnd, MEBIBYTE, 4093), sent);
    expect(await writing).toBe(MEBIBYTE);
  });

  it("carries any mix of writes and reads as one stream", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 9000 }), async (writes, readSize) => {
        const { readEnd, writeEnd } = await make();
        const sent = pattern(writes.reduce((sum, size) => sum + size, 0));
        const reading = readExactly(readEnd, sent.length, readSize);
        let at = 0;
        for (const size of writes) {
          expect(await writeEnd.write(sent.subarray(at, at + size), new TestWaiter())).toBe(size);
          at += size;
        }
        expectSame(await reading, sent);
        closeBoth(readEnd, writeEnd);
      }),
      { numRuns: 50 },
    );
  });

  it("cannot be read at an offset or moved in", async () => {
    const { readEnd } = await make();
    await expect(readEnd.seek(0, 0)).rejects.toMatchObject({ errno: "ESPIPE" });
    await expect(readEnd.pread(new Uint8Array(1), 0)).rejects.toMatchObject({ errno: "ESPIPE" });
  });
}

const NEWLINE = 10;

/** `readThrough`: what a shell reads its script and its lines by. */
function describeLines(make: Make): void {
  it("gives a line at a time, and leaves what follows to whoever reads next", async () => {
    const { readEnd, writeEnd } = await make();
    await writeEnd.write(encodeText("one\n\ntwo\nthree\nrest"), new TestWaiter());
    const line = (): Promise<string> => readLine(readEnd);
    expect([await line(), await line(), await line()]).toEqual(["one\n", "\n", "two\n"]);
    expect(decodeText(await readExactly(readEnd, 10))).toBe("three\nrest");
    expect(await outcome(readEnd.readThrough(new Uint8Array(1), NEWLINE, new TestWaiter()))).toBe(
      "waits",
    );
  });

  it("gives what there is of a line, as far as it fits", async () => {
    const { readEnd, writeEnd } = await make();
    await writeEnd.write(encodeText("long line"), new TestWaiter());
    expect([await readLine(readEnd, 4), await readLine(readEnd, 100)]).toEqual(["long", " line"]);
  });

  it("gives lines that come byte by byte, each byte once", async () => {
    const { readEnd, writeEnd } = await make();
    let seen = "";
    for (const text of ["a", "b", "\n", "c", "\n"]) {
      const reading = readLine(readEnd);
      expect(await outcome(reading)).toBe("waits");
      await writeEnd.write(encodeText(text), new TestWaiter());
      seen += await reading;
    }
    expect(seen).toBe("ab\nc\n");
  });

  it("takes any byte for the end of a line", async () => {
    const { readEnd, writeEnd } = await make();
    await writeEnd.write(Uint8Array.of(1, 0, 255, 10, 0, 2), new TestWaiter());
    const into = new Uint8Array(9);
    expect(await readEnd.readThrough(into, 0, new TestWaiter())).toBe(2);
    expect(await readEnd.readThrough(into, 255, new TestWaiter())).toBe(1);
    expect(await readEnd.readThrough(into, 0, new TestWaiter())).toBe(2);
    expect(await readExactly(readEnd, 1)).toEqual(Uint8Array.of(2));
  });

  it("fails a line that is not there with EAGAIN under O_NONBLOCK, and gives what is", async () => {
    const { readEnd, writeEnd } = await make();
    readEnd.flags |= O_NONBLOCK;
    await expect(readLine(readEnd)).rejects.toMatchObject({ errno: "EAGAIN" });
    await writeEnd.write(encodeText("half"), new TestWaiter());
    expect(await readLine(readEnd)).toBe("half");
    await expect(readLine(readEnd)).rejects.toMatchObject({ errno: "EAGAIN" });
  });

  it("fails an interrupted wait for a line with EINTR and loses nothing", async () => {
    const { readEnd, writeEnd } = await make();
    const waiter = new TestWaiter();
    const reading = readEnd.readThrough(new Uint8Array(9), NEWLINE, waiter);
    await settle();
    waiter.interrupt();
    await expect(reading).rejects.toMatchObject({ errno: "EINTR" });
    await writeEnd.write(encodeText("kept\n"), new TestWaiter());
    expect(await readLine(readEnd)).toBe("kept\n");
  });
}

function describeWaiting(make: Make): void {
  it("holds a read until a byte is written", async () => {
    const { readEnd, writeEnd } = await make();
    const into = new Uint8Array(4);
    const reading = readEnd.read(into, new TestWaiter());
    expect(await outcome(reading)).toBe("waits");
    await writeEnd.write(Uint8Array.of(7), new TestWaiter());
    expect(await reading).toBe(1);
    expect(into[0]).toBe(7);
  });

  it("holds a write that does not fit until it is read", async () => {
    const { readEnd, writeEnd } = await make();
    const writing = writeEnd.write(pattern(MEBIBYTE), new TestWaiter());
    expect(await outcome(writing)).toBe("waits");
    await readExactly(readEnd, MEBIBYTE);
    expect(await writing).toBe(MEBIBYTE);
  });

  it("gives each byte to one of two waiting readers", async () => {
    const { readEnd, writeEnd } = await make();
    const first = readEnd.read(new Uint8Array(1), new TestWaiter());
    const second = readEnd.read(new Uint8Array(1), new TestWaiter());
    await writeEnd.write(Uint8Array.of(1), new TestWaiter());
    expect(new Set([await outcome(first), await outcome(second)])).toEqual(new Set([1, "waits"]));
    await writeEnd.write(Uint8Array.of(2), new TestWaiter());
    expect([await first, await second]).toEqual([1, 1]);
  });

  it("fails an interrupted read with EINTR and loses nothing", async () => {
    const { readEnd, writeEnd } = await make();
    const waiter = new TestWaiter();
    const reading = readEnd.read(new Uint8Array(4), waiter);
    await settle();
    waiter.interrupt();
    await expect(reading).rejects.toMatchObject({ errno: "EINTR" });
    await writeEnd.write(Uint8Array.of(9), new TestWaiter());
    expect(await readExactly(readEnd, 1)).toEqual(Uint8Array.of(9));
  });

  it("answers an interrupted write with the count that went in", async () => {
    const { readEnd, writeEnd } = await make();
    const sent = pattern(MEBIBYTE);
    const waiter = new TestWaiter();
    const writing = writeEnd.write(sent, waiter);
    await settle();
    waiter.interrupt();
    const count = await writing;
    expect(count).toBeGreaterThanOrEqual(4096);
    expect(count).toBeLessThan(MEBIBYTE);
    expectSame(await readExactly(readEnd, count), sent.subarray(0, count));
    expect(await outcome(readEnd.read(new Uint8Array(1), new TestWaiter()))).toBe("waits");
  });

  it("polls readable and writable as they are, and wakes who waits for a change", async () => {
    const { readEnd, writeEnd } = await make();
    let wakes = 0;
    readEnd.changed?.add(() => {
      wakes += 1;
    });
    expect([readEnd.poll() & POLLIN, writeEnd.poll() & POLLOUT]).toEqual([0, POLLOUT]);
    await writeEnd.write(Uint8Array.of(1), new TestWaiter());
    expect([readEnd.poll() & POLLIN, wakes]).toEqual([POLLIN, 1]);
    const waiter = new TestWaiter();
    const writing = writeEnd.write(pattern(MEBIBYTE), waiter);
    expect(await outcome(writing)).toBe("waits");
    expect(writeEnd.poll() & POLLOUT).toBe(0);
    writeEnd.changed?.add(() => {
      wakes += 1;
    });
    await readExactly(readEnd, MEBIBYTE + 1);
    await writing;
    expect([readEnd.poll() & POLLIN, writeEnd.poll() & POLLOUT, wakes]).toEqual([0, POLLOUT, 2]);
  });
}

function describeNonBlocking(make: Make): void {
  it("fails an empty read with EAGAIN under O_NONBLOCK", async () => {
    const { readEnd, writeEnd } = await make();
    readEnd.flags |= O_NONBLOCK;
    const read = (): Promise<number> => readEnd.read(new Uint8Array(1), new TestWaiter());
    await expect(read()).rejects.toMatchObject({ errno: "EAGAIN" });
    await writeEnd.write(Uint8Array.of(1), new TestWaiter());
    expect(await read()).toBe(1);
    await expect(read()).rejects.toMatchObject({ errno: "EAGAIN" });
  });

  it("takes what fits and then fails a write with EAGAIN under O_NONBLOCK", async () => {
    const { readEnd, writeEnd } = await make();
    writeEnd.flags |= O_NONBLOCK;
    const sent = pattern(MEBIBYTE);
    let taken = 0;
    const fill = async (): Promise<void> => {
      for (;;) taken += await writeEnd.write(sent.subarray(taken), new TestWaiter());
    };
    await expect(fill()).rejects.toMatchObject({ errno: "EAGAIN" });
    expect(taken).toBeGreaterThanOrEqual(4096);
    expectSame(await readExactly(readEnd, taken), sent.subarray(0, taken));
    expect(await writeEnd.write(Uint8Array.of(1), new TestWaiter())).toBe(1);
  });
}

function describeLeaving(make: Make): void {
  it("ends a waiting read when the writer leaves", async () => {
    const { readEnd, writeEnd, afterWriterLeft, whenWriterLeaves } = await make();
    const reading = readEnd.read(new Uint8Array(1), new TestWaiter());
    await settle();
    writeEnd.drop();
    expect(await ending(reading)).toBe(whenWriterLeaves);
    expect(await ending(readEnd.read(new Uint8Array(1), new TestWaiter()))).toBe(afterWriterLeft);
  });

  it("ends a waiting write when the reader leaves, or keeps it for the next", async () => {
    const { readEnd, writeEnd, afterReaderLeft } = await make();
    const writing = writeEnd.write(pattern(MEBIBYTE), new TestWaiter());
    await settle();
    readEnd.drop();
    const ended = await outcome(ending(writing));
    if (afterReaderLeft === "taken") {
      expect([ended, await writeEnd.write(Uint8Array.of(1), new TestWaiter())]).toEqual([
        MEBIBYTE,
        1,
      ]);
      return;
    }
    if (typeof ended === "number") expect(ended).toBeLessThan(MEBIBYTE);
    else expect(ended).toBe(afterReaderLeft);
    const next = writeEnd.write(Uint8Array.of(1), new TestWaiter());
    expect(await outcome(ending(next))).toBe(afterReaderLeft);
  });

  it("keeps or loses the bytes of a writer that has left, as its kind says", async () => {
    const { readEnd, writeEnd, afterWriterLeft, keepsBytesOfGoneWriter } = await make();
    await writeEnd.write(Uint8Array.of(1, 2), new TestWaiter());
    writeEnd.drop();
    const read = (): Promise<number> => readEnd.read(new Uint8Array(2), new TestWaiter());
    expect(await ending(read())).toBe(keepsBytesOfGoneWriter ? 2 : afterWriterLeft);
    expect(await ending(read())).toBe(afterWriterLeft);
  });
}

async function ending(call: Promise<number>): Promise<number | Errno> {
  return call.catch((error: { errno: Errno }) => error.errno);
}

/** One call of readThrough to a newline. */
async function readLine(end: OpenFile, size = 65_536): Promise<string> {
  const into = new Uint8Array(size);
  return decodeText(into.subarray(0, await end.readThrough(into, NEWLINE, new TestWaiter())));
}

/** Reads until `size` bytes have come, at most `chunk` at a time. */
async function readExactly(end: OpenFile, size: number, chunk = 65_536): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  while (at < size) {
    const into = bytes.subarray(at, Math.min(at + chunk, size));
    const count = await end.read(into, new TestWaiter());
    if (count === 0) throw new Error(`the stream ended after ${at} of ${size} bytes`);
    at += count;
  }
  return bytes;
}

/** Compares long contents: a deep equality over a mebibyte takes seconds. */
function expectSame(actual: Uint8Array, expected: Uint8Array): void {
  expect(actual.length).toBe(expected.length);
  expect(Buffer.compare(actual, expected)).toBe(0);
}

/** Bytes without a short period, so that a lost or doubled piece shows. */
function pattern(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = at * 31 + (at >> 8) * 7 + (at >> 16);
  return bytes;
}

function closeBoth(...ends: readonly OpenFile[]): void {
  for (const end of ends) end.drop();
}
