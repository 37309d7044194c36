import { expect } from "vitest";
import { bytes, type ContractTests, expectErrno } from "./setup.ts";

/** read, write, truncate. */
export function contentContract(tests: ContractTests): void {
  tests.it("reads what was written and 0 bytes at and past the end", async (at) => {
    const file = await at.file("file");
    expect(await at.fs.write(file, bytes("hello"), 0)).toBe(5);
    expect(await at.readAt(file, 0, 5)).toEqual([...bytes("hello")]);
    expect(await at.readAt(file, 3, 100)).toEqual([...bytes("lo")]);
    expect(await at.readAt(file, 5, 10)).toEqual([]);
    expect(await at.readAt(file, 2 ** 39, 10)).toEqual([]);
    expect(await at.readAt(file, 0, 0)).toEqual([]);
  });

  tests.it("overwrites in the middle, keeping both sides", async (at) => {
    const file = await at.file("file", "0123456789");
    expect(await at.fs.write(file, bytes("abc"), 4)).toBe(7);
    expect(await at.read(file)).toBe("0123abc789");
    expect(await at.fs.write(file, bytes("XYZ"), 9)).toBe(12);
    expect(await at.read(file)).toBe("0123abc78XYZ");
  });

  tests.it("writes at the end, wherever that is by then", async (at) => {
    const file = await at.file("file");
    expect(await at.fs.write(file, bytes("one"), "end")).toBe(3);
    await at.fs.truncate(file, 5);
    expect(await at.fs.write(file, bytes("two"), "end")).toBe(8);
    expect(await at.read(file)).toBe("one\0\0two");
  });

  tests.it("writes at the end without loss when many do so at once", async (at) => {
    const file = await at.file("file");
    const writes = Array.from({ length: 50 }, (_, i) =>
      at.fs.write(file, bytes(String.fromCharCode(48 + i)), "end"),
    );
    expect((await Promise.all(writes)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    expect((await at.read(file)).split("").toSorted()).toEqual(
      Array.from({ length: 50 }, (_, i) => String.fromCharCode(48 + i)),
    );
  });

  tests.it("changes nothing by a write of no bytes, even past the end", async (at) => {
    const file = await at.file("file", "abc");
    expect(await at.fs.write(file, new Uint8Array(0), 100)).toBe(100);
    expect(await at.fs.write(file, new Uint8Array(0), "end")).toBe(3);
    expect((await at.fs.stat(file)).size).toBe(3);
  });

  tests.it("keeps its own copy of what was written", async (at) => {
    const file = await at.file("file");
    for (const length of [1, 65_536, 200_000]) {
      const buffer = new Uint8Array(length).fill(1);
      await at.fs.write(file, buffer, 0);
      buffer.fill(2);
      expect(new Set(await at.readAt(file, 0, length))).toEqual(new Set([1]));
    }
  });

  tests.it("fills a gap between the end and a later write with zeros", async (at) => {
    const file = await at.file("file", "ab");
    await at.fs.write(file, bytes("z"), 70_000);
    expect((await at.fs.stat(file)).size).toBe(70_001);
    expect(await at.readAt(file, 0, 4)).toEqual([97, 98, 0, 0]);
    expect(await at.readAt(file, 69_998, 9)).toEqual([0, 0, 122]);
  });

  tests.it("never shows bytes again that were cut off", async (at) => {
    const file = await at.file("file", "x".repeat(150_000));
    for (const size of [140_000, 131_072, 65_537, 65_536, 1000, 3, 0]) {
      await at.fs.truncate(file, size);
      expect((await at.fs.stat(file)).size).toBe(size);
      await at.fs.truncate(file, 150_000);
      const all = await at.readAt(file, 0, 150_000);
      expect(all.length).toBe(150_000);
      expect(all.lastIndexOf(120)).toBe(size - 1);
      expect(all.indexOf(0)).toBe(size);
    }
  });

  tests.it("extends by truncate with zeros and keeps what was there", async (at) => {
    const file = await at.file("file", "abc");
    await at.fs.truncate(file, 6);
    expect(await at.read(file)).toBe("abc\0\0\0");
  });

  tests.it("reads and writes across every page edge", async (at) => {
    const file = await at.file("file");
    const whole = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
    for (let offset = 0; offset < whole.length; offset += 32_999) {
      await at.fs.write(file, whole.subarray(offset, offset + 32_999), offset);
    }
    const into = new Uint8Array(300_000);
    expect(await at.fs.read(file, into, 0)).toBe(300_000);
    expect(Buffer.compare(into, whole)).toBe(0);
    for (const edge of [65_536, 131_072, 262_144]) {
      expect(await at.readAt(file, edge - 2, 4)).toEqual([...whole.subarray(edge - 2, edge + 2)]);
    }
  });

  tests.it(
    "holds one byte at 2 GB without holding the hole before it",
    async (at) => {
      const file = await at.file("file");
      await at.fs.write(file, bytes("!"), 2 ** 31);
      const { size, blocks } = await at.fs.stat(file);
      expect(size).toBe(2 ** 31 + 1);
      expect(blocks).toBeLessThanOrEqual(2048);
      expect(await at.readAt(file, 2 ** 31 - 1, 5)).toEqual([0, 33]);
      expect(await at.readAt(file, 2 ** 30, 3)).toEqual([0, 0, 0]);
      await at.fs.truncate(file, 2 ** 31);
      expect((await at.fs.stat(file)).blocks).toBe(0);
    },
    ["holes hold nothing"],
  );

  tests.it(
    "fails writes and truncates past maxFileBytes with EFBIG, changing nothing",
    async (at) => {
      const file = await at.file("file", "abc");
      await expectErrno(at.fs.write(file, bytes("x"), 10_000), "EFBIG");
      await expectErrno(at.fs.write(file, bytes("xy"), 9_999), "EFBIG");
      await expectErrno(at.fs.truncate(file, 10_001), "EFBIG");
      expect(await at.read(file)).toBe("abc");
      await at.fs.write(file, bytes("x"), 9_999);
      await expectErrno(at.fs.write(file, bytes("x"), "end"), "EFBIG");
      await at.fs.truncate(file, 10_000);
      expect((await at.fs.stat(file)).size).toBe(10_000);
    },
    ["charges limits"],
    { maxFileBytes: 10_000 },
  );

  tests.it("keeps two files apart", async (at) => {
    const one = await at.file("one", "1111");
    const two = await at.file("two", "2222");
    await at.fs.write(one, bytes("x"), 1);
    await at.fs.truncate(two, 2);
    expect([await at.read(one), await at.read(two)]).toEqual(["1x11", "22"]);
  });
}
