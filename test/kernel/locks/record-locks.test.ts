import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findBlocking,
  type HeldRange,
  withoutRange,
  withRange,
} from "../../../src/kernel/locks/record-locks.ts";

const one = { pid: 1 };
const two = { pid: 2 };

describe("record locks", () => {
  it("merge with the owner's own of the same kind, touching or overlapping", () => {
    const held = [range(one, "write", 0, 10), range(one, "write", 20, 30)];
    expect(withRange(held, range(one, "write", 10, 20))).toEqual([range(one, "write", 0, 30)]);
  });

  it("split one of another kind", () => {
    const held = [range(one, "write", 0, 30)];
    expect(withRange(held, range(one, "read", 10, 20))).toEqual([
      range(one, "write", 0, 10),
      range(one, "read", 10, 20),
      range(one, "write", 20, 30),
    ]);
  });

  it("are cut in two by an unlock in the middle, up to the end of the file", () => {
    const held = [range(one, "read", 0, Number.POSITIVE_INFINITY)];
    expect(withoutRange(held, one, { start: 5, end: 6 })).toEqual([
      range(one, "read", 0, 5),
      range(one, "read", 6, Number.POSITIVE_INFINITY),
    ]);
  });

  it("leave another owner's alone", () => {
    const held = [range(two, "read", 0, 10)];
    expect(withRange(held, range(one, "read", 0, 10))).toEqual([
      range(two, "read", 0, 10),
      range(one, "read", 0, 10),
    ]);
    expect(withoutRange(held, one, { start: 0, end: 10 })).toEqual(held);
  });

  it("are as one kind of lock for each byte and owner, under any mix of calls", () => {
    const step = fc.record({
      owner: fc.constantFrom(one, two),
      type: fc.constantFrom("read" as const, "write" as const, "unlock" as const),
      start: fc.nat(20),
      size: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let held: HeldRange[] = [];
        const model = new Map<string, string>();
        for (const { owner, type, start, size } of steps) {
          const end = start + size;
          if (type !== "unlock") {
            const wanted = range(owner, type, start, end);
            if (findBlocking(held, wanted) !== undefined) continue;
            held = withRange(held, wanted);
          } else held = withoutRange(held, owner, { start, end });
          for (let at = start; at < end; at++) model.set(`${owner.pid}:${at}`, type);
        }
        for (const [key, type] of model) {
          const [pid, at] = key.split(":").map(Number) as [number, number];
          const found = held.filter(
            (each) => each.owner.pid === pid && each.start <= at && at < each.end,
          );
          expect(found.map((each) => each.type)).toEqual(type === "unlock" ? [] : [type]);
        }
        const likes = held.filter((each) =>
          held.some(
            (next) =>
              next.owner === each.owner && next.type === each.type && next.start === each.end,
          ),
        );
        expect(likes).toEqual([]);
      }),
    );
  });
});

function range(
  owner: HeldRange["owner"],
  type: HeldRange["type"],
  start: number,
  end: number,
): HeldRange {
  return { owner, type, start, end };
}
