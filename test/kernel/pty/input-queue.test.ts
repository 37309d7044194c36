import { describe, expect, it } from "vitest";
import { InputQueue } from "../../../src/kernel/pty/input-queue.ts";

describe("InputQueue", () => {
  it("keeps a line from readers until it ends", () => {
    const queue = new InputQueue();
    put(queue, "ab");
    expect([queue.hasLine, queue.size, take(queue)]).toEqual([false, 2, ""]);
    queue.endLine(0x0a);
    expect([queue.hasLine, take(queue), queue.size]).toEqual([true, "ab\n", 0]);
  });

  it("gives one line at a time, a long one in pieces", () => {
    const queue = new InputQueue();
    for (const line of ["one", "two"]) {
      put(queue, line);
      queue.endLine(0x0a);
    }
    expect([take(queue, 2), take(queue, 9), take(queue, 9), take(queue, 9)]).toEqual([
      "on",
      "e\n",
      "two\n",
      "",
    ]);
  });

  it("tells an end of file from a NUL that was typed", () => {
    const queue = new InputQueue();
    put(queue, "a\0");
    queue.endFile();
    expect([queue.completeBytes, take(queue), queue.hasLine]).toEqual([2, "a\0", false]);
  });

  it("takes an end of file along with the bytes that fill the buffer", () => {
    const queue = new InputQueue();
    put(queue, "abc");
    queue.endFile();
    expect([take(queue, 3), queue.hasLine]).toEqual(["abc", false]);
  });

  it("makes an unfinished line readable when the mode becomes raw, and all a line on the way back", () => {
    const queue = new InputQueue();
    put(queue, "par");
    queue.switchMode(false);
    expect(takeRaw(queue, 2)).toBe("pa");
    put(queue, "t");
    queue.switchMode(true);
    expect([queue.hasLine, take(queue)]).toEqual([true, "rt"]);
  });

  it("goes round its buffer without mixing anything up", () => {
    const queue = new InputQueue();
    for (let round = 0; round < 20; round++) {
      const line = String(round).repeat(300).slice(0, 300);
      put(queue, line);
      queue.endLine(0x0a);
      expect(take(queue)).toBe(`${line}\n`);
    }
    queue.switchMode(false);
    for (let round = 0; round < 5; round++) {
      const bytes = new Uint8Array(3000).fill(round);
      queue.putAll(bytes);
      const into = new Uint8Array(4000);
      expect(queue.takeBytes(into)).toBe(3000);
      expect(Buffer.compare(into.subarray(0, 3000), bytes)).toBe(0);
    }
  });

  it("keeps a place for the end of a line", () => {
    const queue = new InputQueue();
    put(queue, "x".repeat(4095));
    expect(queue.room).toBe(0);
    queue.endLine(0x0a);
    expect([queue.room, queue.size]).toEqual([-1, 4096]);
  });
});

function put(queue: InputQueue, text: string): void {
  for (const byte of new TextEncoder().encode(text)) queue.put(byte);
}

function take(queue: InputQueue, size = 5000): string {
  const into = new Uint8Array(size);
  return new TextDecoder().decode(into.subarray(0, queue.takeLine(into)));
}

function takeRaw(queue: InputQueue, size: number): string {
  const into = new Uint8Array(size);
  return new TextDecoder().decode(into.subarray(0, queue.takeBytes(into)));
}
