import { describe, expect, it } from "vitest";
import { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } from "../../../src/kernel/abi/open-flags.ts";
import { POLLHUP, POLLIN, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import type { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import { Limits } from "../../../src/kernel/limits/limits.ts";
import { FifoTable } from "../../../src/kernel/pipe/fifo.ts";
import { MountTable } from "../../../src/kernel/vfs/mount-table.ts";
import type { Place } from "../../../src/kernel/vfs/place.ts";
import { describeStreamContract } from "../../contract/stream-contract.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

describeStreamContract("FIFO", async () => {
  const { place, fifos } = await makeFifo();
  const [readEnd, writeEnd] = await Promise.all([
    open(fifos, place, O_RDONLY),
    open(fifos, place, O_WRONLY),
  ]);
  return {
    readEnd,
    writeEnd,
    afterWriterLeft: 0,
    whenWriterLeaves: 0,
    keepsBytesOfGoneWriter: true,
    afterReaderLeft: "EPIPE",
  };
});

describe("FifoTable", () => {
  it("holds the opening to read until somebody opens to write", async () => {
    const { place, fifos } = await makeFifo();
    const reader = open(fifos, place, O_RDONLY);
    expect(await outcome(reader)).toBe("waits");
    const writer = await open(fifos, place, O_WRONLY);
    expect((await reader).isReadable).toBe(true);
    expect(writer.isWritable).toBe(true);
  });

  it("holds the opening to write until somebody opens to read", async () => {
    const { place, fifos } = await makeFifo();
    const writer = open(fifos, place, O_WRONLY);
    expect(await outcome(writer)).toBe("waits");
    await open(fifos, place, O_RDONLY);
    expect((await writer).isWritable).toBe(true);
  });

  it("lets an opening through though its partner has left again", async () => {
    const { place, fifos } = await makeFifo();
    const reading = open(fifos, place, O_RDONLY);
    const writer = await open(fifos, place, O_WRONLY);
    writer.drop();
    const reader = await reading;
    expect(await reader.read(new Uint8Array(1), new TestWaiter())).toBe(0);
  });

  it("opens to read at once under O_NONBLOCK, and reads 0 without a writer", async () => {
    const { place, fifos } = await makeFifo();
    const reader = await open(fifos, place, O_RDONLY | O_NONBLOCK);
    expect(await reader.read(new Uint8Array(1), new TestWaiter())).toBe(0);
    expect(reader.poll()).toBe(0);
    const writer = await open(fifos, place, O_WRONLY | O_NONBLOCK);
    writer.drop();
    expect(reader.poll()).toBe(POLLHUP);
  });

  it("fails to open for writing under O_NONBLOCK without a reader, with ENXIO", async () => {
    const { place, fifos, limits } = await makeFifo();
    const opening = open(fifos, place, O_WRONLY | O_NONBLOCK);
    await expect(opening).rejects.toMatchObject({ errno: "ENXIO", subject: "/fifo" });
    expect([fifos.size, limits.used("maxPipes")]).toEqual([0, 0]);
  });

  it("opens for both at once and then is its own partner", async () => {
    const { place, fifos } = await makeFifo();
    const both = await open(fifos, place, O_RDWR);
    expect(both.poll()).toBe(POLLOUT);
    let wakes = 0;
    both.changed?.add(() => {
      wakes += 1;
    });
    await both.write(Uint8Array.of(5), new TestWaiter());
    expect([both.poll(), wakes]).toEqual([POLLIN | POLLOUT, 1]);
    expect(await both.read(new Uint8Array(2), new TestWaiter())).toBe(1);
    expect(await outcome(both.read(new Uint8Array(2), new TestWaiter()))).toBe("waits");
  });

  it("forgets an opening that was interrupted", async () => {
    const { place, fifos, limits } = await makeFifo();
    const waiter = new TestWaiter();
    const opening = fifos.open(place, O_RDONLY, waiter);
    await settle();
    waiter.interrupt();
    await expect(opening).rejects.toMatchObject({ errno: "EINTR" });
    expect([fifos.size, limits.used("maxPipes")]).toEqual([0, 0]);
    const late = open(fifos, place, O_WRONLY | O_NONBLOCK);
    await expect(late).rejects.toMatchObject({ errno: "ENXIO" });
  });

  it("loses what nobody has read when the last end is released", async () => {
    const { place, fifos, limits } = await makeFifo();
    const both = await open(fifos, place, O_RDWR);
    await both.write(Uint8Array.of(1, 2, 3), new TestWaiter());
    both.drop();
    expect([fifos.size, limits.used("maxPipes")]).toEqual([0, 0]);
    const again = await open(fifos, place, O_RDONLY | O_NONBLOCK);
    expect(await again.read(new Uint8Array(3), new TestWaiter())).toBe(0);
  });

  it("goes on when the name is removed while it is open", async () => {
    const { place, fifos, fileSystem } = await makeFifo();
    const both = await open(fifos, place, O_RDWR);
    await fileSystem.unlink({ directory: fileSystem.root, name: "fifo" });
    await both.write(Uint8Array.of(1), new TestWaiter());
    expect((await both.stat()).nlink).toBe(0);
    expect(await both.read(new Uint8Array(3), new TestWaiter())).toBe(1);
  });

  it("shows the file it was opened at", async () => {
    const { place, fifos } = await makeFifo();
    const both = await open(fifos, place, O_RDWR);
    expect([both.describe(), both.place]).toEqual(["/fifo", place]);
    expect(await both.stat()).toMatchObject({ kind: "fifo", mode: 0o644, uid: 7, dev: 1 });
  });
});

async function makeFifo() {
  const limits = new Limits({}, () => {});
  const fileSystem = new MemoryFileSystem({ now: () => 0, limits });
  const { root } = new MountTable(fileSystem, limits);
  const at = { directory: fileSystem.root, name: "fifo" };
  const inode = await fileSystem.create(at, { kind: "fifo", mode: 0o644, uid: 7, gid: 7 });
  const place: Place = { mount: root.mount, inode, path: "/fifo", parent: root, name: "fifo" };
  return { limits, fileSystem, place, fifos: new FifoTable(limits) };
}

async function open(fifos: FifoTable, place: Place, flags: number): Promise<OpenFile> {
  const file = await fifos.open(place, flags, new TestWaiter());
  file.retain();
  return file;
}
