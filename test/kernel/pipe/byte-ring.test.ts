import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteRing } from "../../../src/kernel/pipe/byte-ring.ts";

describe("ByteRing", () => {
  it("holds no memory before its first byte and little for a few", () => {
    const ring = new ByteRing(65_536);
    expect(ring.allocatedBytes).toBe(0);
    ring.push(Uint8Array.of(1, 2, 3));
    expect(ring.allocatedBytes).toBe(64);
    ring.push(new Uint8Array(300));
    expect(ring.allocatedBytes).toBe(512);
  });

  it("takes only what fits", () => {
    const ring = new ByteRing(4096);
    expect(ring.push(new Uint8Array(5000))).toBe(4096);
    expect([ring.size, ring.room, ring.allocatedBytes]).toEqual([4096, 0, 4096]);
    expect(ring.push(Uint8Array.of(1))).toBe(0);
    expect(ring.pushByte(1)).toBe(false);
  });

  it("gives its memory back when cleared", () => {
    const ring = new ByteRing(4096);
    ring.push(new Uint8Array(4096));
    ring.clear();
    expect([ring.size, ring.room, ring.allocatedBytes, ring.shiftByte()]).toEqual([0, 4096, 0, -1]);
  });

  it("behaves as a list of bytes under any mix of calls", () => {
    const step = fc.oneof(
      fc.record({ push: fc.uint8Array({ maxLength: 700 }), start: fc.nat(50) }),
      fc.record({ shift: fc.nat(700) }),
      fc.record({ byte: fc.nat(255) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ring = new ByteRing(1024);
        let model: number[] = [];
        for (const each of steps) {
          if ("push" in each) {
            const start = Math.min(each.start, each.push.length);
            const taken = [...each.push.subarray(start)].slice(0, 1024 - model.length);
            expect(ring.push(each.push, start)).toBe(taken.length);
            model.push(...taken);
          } else if ("shift" in each) {
            const into = new Uint8Array(each.shift);
            const count = ring.shift(into);
            expect([...into.subarray(0, count)]).toEqual(model.slice(0, each.shift));
            model = model.slice(count);
          } else {
            const first = model.shift() ?? -1;
            expect(ring.shiftByte()).toBe(first);
            if (ring.pushByte(each.byte)) model.push(each.byte);
          }
          expect(ring.size).toBe(model.length);
        }
      }),
    );
  });
});
