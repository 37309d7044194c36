import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LogSpace } from "../../src/vm/log-space.ts";
import { OutputLog } from "../../src/vm/output-log.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "output-log-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function numbered(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >> 8)) & 0xff);
}

async function fill(log: OutputLog, bytes: Uint8Array, step: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += step) await log.append(bytes.subarray(at, at + step));
  await log.settled();
}

describe("OutputLog", () => {
  it("keeps only its bytes of an output that comes byte by byte, in memory and on its way to the disk", async () => {
    const log = new OutputLog(join(directory, "bytes"), new LogSpace(1 << 30));
    const one = Uint8Array.of(120);
    globalThis.gc?.();
    const before = process.memoryUsage();
    for (let count = 0; count < 500_000; count++) {
      const pending = log.append(one);
      if (pending !== undefined) await pending;
    }
    const after = process.memoryUsage();
    const held = after.arrayBuffers - before.arrayBuffers;
    expect(held).toBeLessThan(8 << 20);
    await log.settled();
    expect(log.keptBytes).toBe(500_000);
    await log.close();
  });

  it("keeps a short output in memory and makes no file", async () => {
    const path = join(directory, "a");
    const log = new OutputLog(path, new LogSpace(1 << 30));
    await log.append(new TextEncoder().encode("hello "));
    await log.append(new TextEncoder().encode("world"));
    expect(log.ends(100, 100)).toEqual({
      head: new TextEncoder().encode("hello world"),
      tail: new Uint8Array(0),
      omittedBytes: 0,
    });
    expect(existsSync(path)).toBe(false);
    expect(new TextDecoder().decode(await log.read(6, 100))).toBe("world");
    await log.close();
  });

  it.each([1, 100, 4096, 65_536, 300_000])(
    "reads back all of a long output that came in pieces of %i bytes",
    async (step) => {
      const log = new OutputLog(join(directory, "b"), new LogSpace(1 << 30));
      const bytes = numbered(step === 1 ? 70_000 : 300_000);
      await fill(log, bytes, step);
      expect(log.totalBytes).toBe(bytes.length);
      expect(log.keptBytes).toBe(bytes.length);
      const read = await log.read(0, bytes.length + 10);
      expect(Buffer.compare(read, bytes)).toBe(0);
      const { head, tail, omittedBytes } = log.ends(1000, 2000);
      expect(Buffer.compare(head, bytes.subarray(0, 1000))).toBe(0);
      expect(Buffer.compare(tail, bytes.subarray(-2000))).toBe(0);
      expect(omittedBytes).toBe(bytes.length - 3000);
      await log.close();
    },
  );

  it("shows every byte once when head and tail overlap", async () => {
    const log = new OutputLog(join(directory, "c"), new LogSpace(1 << 30));
    const bytes = numbered(90_000);
    await fill(log, bytes, 10_000);
    const { head, tail, omittedBytes } = log.ends(65_536, 65_536);
    expect(omittedBytes).toBe(0);
    expect(Buffer.compare(Buffer.concat([head, tail]), bytes)).toBe(0);
    await log.close();
  });

  it("keeps the order of pieces that are not waited for", async () => {
    const log = new OutputLog(join(directory, "d"), new LogSpace(1 << 30));
    const bytes = numbered(500_000);
    const pending: Promise<void>[] = [];
    for (let at = 0; at < bytes.length; at += 50_000) {
      const piece = log.append(bytes.subarray(at, at + 50_000));
      if (piece !== undefined) pending.push(piece);
    }
    await Promise.all(pending);
    expect(Buffer.compare(await log.read(0, bytes.length), bytes)).toBe(0);
    await log.close();
  });

  it("removes its file when it is closed", async () => {
    const path = join(directory, "e");
    const log = new OutputLog(path, new LogSpace(1 << 30));
    await fill(log, numbered(100_000), 100_000);
    expect(existsSync(path)).toBe(true);
    await log.close();
    expect(existsSync(path)).toBe(false);
  });

  it("goes on with head and tail when the file cannot be written", async () => {
    writeFileSync(join(directory, "file"), "");
    const log = new OutputLog(join(directory, "file", "log"), new LogSpace(1 << 30));
    const bytes = numbered(200_000);
    await fill(log, bytes, 50_000);
    expect(log.failure).toBe("the disk fails with EEXIST");
    const { head, tail } = log.ends(10, 10);
    expect([head, tail]).toEqual([bytes.slice(0, 10), bytes.slice(-10)]);
  });

  it("is cut where the disk for logs ends, and gives back what it took", async () => {
    const space = new LogSpace(150_000);
    const log = new OutputLog(join(directory, "g"), space);
    const bytes = numbered(200_000);
    await fill(log, bytes, 50_000);
    expect(log.failure).toBe("logs may have 0 MiB");
    expect(log.keptBytes).toBe(150_000);
    expect(Buffer.compare(await log.read(0, 200_000), bytes.subarray(0, 150_000))).toBe(0);
    expect(log.ends(5, 5).tail).toEqual(bytes.slice(-5));
    await log.close();
    expect(space.usedBytes).toBe(0);
    await expect(log.read(0, 1)).rejects.toMatchObject({ code: "LOG_GONE" });
  });
});
