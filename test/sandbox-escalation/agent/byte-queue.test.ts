import { describe, expect, it } from "vitest";
import { ByteQueue } from "../../../src/sandbox-escalation/agent/byte-queue.ts";

function makeQueue(): ByteQueue {
  const queue = new ByteQueue(
    () => undefined,
    () => undefined,
  );
  queue.open();
  return queue;
}

async function all(queue: ByteQueue): Promise<Uint8Array[]> {
  queue.end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of queue) chunks.push(chunk);
  return chunks;
}

describe("ByteQueue", () => {
  it("holds what comes in small parts as few, and nothing that they were parts of", async () => {
    const queue = makeQueue();
    for (let i = 0; i < 20_000; i++) {
      const large = Buffer.alloc(100, i % 256);
      queue.push(large.subarray(0, 1));
    }
    const chunks = await all(queue);
    const held = chunks.map(({ buffer }) => buffer.byteLength);
    expect(chunks.length).toBeLessThan(5);
    expect(held.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    const whole = Buffer.concat(chunks);
    expect(whole).toEqual(Buffer.from(Array.from({ length: 20_000 }, (_, i) => i % 256)));
  });

  it("keeps the order of small and large parts", async () => {
    const queue = makeQueue();
    const parts = [3, 9000, 1, 1, 8191, 8192, 2, 20_000, 5].map((size, i) => Buffer.alloc(size, i));
    for (const part of parts) queue.push(part);
    expect(Buffer.concat(await all(queue))).toEqual(Buffer.concat(parts));
  });

  it("takes no more than it granted", () => {
    const queue = makeQueue();
    queue.push(Buffer.alloc(262_144));
    expect(() => queue.push(Buffer.alloc(1))).toThrow(RangeError);
  });
});
