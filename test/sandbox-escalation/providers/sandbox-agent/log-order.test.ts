import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LogEntry,
  LogOrder,
} from "../../../../src/sandbox-escalation/providers/sandbox-agent/log-order.ts";

function entry(sequence: number, text = `${sequence};`, stream = "stdout"): LogEntry {
  return { sequence, stream, data: Buffer.from(text).toString("base64"), encoding: "base64" };
}

describe("the order of a log", () => {
  it("is the server's, whatever comes twice or late", () => {
    const sequences = Array.from({ length: 40 }, (_, n) => n + 1);
    const said = fc
      .tuple(
        fc.shuffledSubarray(sequences, { minLength: 40 }),
        fc.array(fc.constantFrom(...sequences)),
      )
      .map(([all, twice]) => [...twice.slice(0, 5), ...all, ...twice]);
    fc.assert(
      fc.property(said, (order) => {
        const log = new LogOrder();
        const heard = order.flatMap((sequence) => log.take(entry(sequence)));
        expect(Buffer.concat(heard).toString()).toBe(sequences.map((n) => `${n};`).join(""));
        expect([log.last, log.isMissing]).toEqual([40, false]);
      }),
    );
  });

  it("counts errors and passes none of them on", () => {
    const log = new LogOrder();
    expect(log.take(entry(2))).toEqual([]);
    expect(log.isMissing).toBe(true);
    expect(Buffer.concat(log.take(entry(1, "oops", "stderr"))).toString()).toBe("2;");
  });

  it("refuses what no server says, and too much that is early", () => {
    const log = new LogOrder();
    const { sequence: _, ...rest } = entry(1);
    for (const sequence of [Number.NaN, 1.5, Infinity])
      expect(() => log.take({ sequence, ...rest })).toThrow(RangeError);
    expect(() => log.take({ ...entry(1), encoding: "utf8" })).toThrow(RangeError);
    const large = entry(3, "x".repeat(9_000_000));
    log.take(large);
    expect(() => log.take({ ...large, sequence: 4 })).toThrow(/too much/);
  });
});
