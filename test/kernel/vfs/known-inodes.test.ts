import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type Inode, KnownInodes } from "../../../src/kernel/index.ts";

function inode(ino: number): Inode {
  return { ino, kind: "file" };
}

/** Whoever was given an object in this turn holds it until the next one. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

describe("KnownInodes", () => {
  it("has the same object for a key as long as somebody holds it", async () => {
    const known = new KnownInodes<number, Inode>();
    const held = inode(1);
    known.set(1, held);
    await collectGarbage();
    expect(known.get(1)).toBe(held);
    known.delete(1);
    expect(known.get(1)).toBeUndefined();
  });

  it("forgets those that nobody holds, however many come", async () => {
    const known = new KnownInodes<number, Inode>();
    const held = Array.from({ length: 100 }, (_, ino) => inode(ino));
    for (const one of held) known.set(one.ino, one);
    for (let round = 1; round <= 10; round++) {
      for (let i = 0; i < 1000; i++) known.set(round * 1000 + i, inode(i));
      await collectGarbage();
    }
    expect(known.size).toBeLessThan(2500);
    expect(held.every((one) => known.get(one.ino) === one)).toBe(true);
  });
});
