import { describe, expect, it } from "vitest";
import { MeasuredRow, type Sides } from "../../../bench/against/measured-row.ts";
import type { PeerProcess } from "../../../bench/peer-process.ts";
import type { Row } from "../../../bench/row.ts";

/** Rows only hand peers on to themselves here. */
const sides: Sides = {
  head: { name: "ours" } as PeerProcess,
  base: { name: "ours" } as PeerProcess,
};
const never = new AbortController().signal;

function row(sample: (peer: PeerProcess, round: number) => number): Row {
  return {
    key: "row",
    title: "a row",
    rounds: () => 1,
    sample: async (peer, round) => sample(peer, round),
  };
}

describe("MeasuredRow", () => {
  it("compares what both builds take, in as many rounds as are wanted over all blocks", async () => {
    const measured = new MeasuredRow(
      row((peer) => (peer === sides.head ? 3 : 2)),
      12,
    );
    for (let block = 0; block < 5; block++) await measured.measureBlock(sides, 5, never);
    expect(measured.result()).toEqual({
      key: "row",
      title: "a row",
      comparison: {
        headMedian: 3,
        baseMedian: 2,
        ratio: 1.5,
        low: 1.5,
        high: 1.5,
        rounds: 12,
        verdict: "slower",
      },
      problems: {},
      blocks: [3, 2, 3, 2, 2].map((rounds) =>
        Array.from({ length: rounds }, () => ({ head: 3, base: 2 })),
      ),
    });
    expect(measured.progress).toBe("row: 1.50 after 12 of 12 rounds");
  });

  it("asks each build first equally often", async () => {
    const asked: string[] = [];
    const measured = new MeasuredRow(
      row((peer) => {
        asked.push(peer === sides.head ? "head" : "base");
        return 20;
      }),
      10,
    );
    await measured.measureBlock(sides, 1, never);
    // A few trials come first, fewer than there are turns; each turn has as many calls as the next.
    const turns = 2 * 10;
    const batch = Math.floor(asked.length / turns);
    const rounds = asked.slice(-turns * batch);
    const firsts = Array.from({ length: 10 }, (_, round) => rounds[round * 2 * batch]);
    expect(firsts.filter((side) => side === "head")).toHaveLength(5);
  });

  it("gives each sample a number of its own", async () => {
    const numbers: number[] = [];
    const measured = new MeasuredRow(
      row((_peer, round) => {
        numbers.push(round);
        return 1;
      }),
      3,
    );
    await measured.measureBlock(sides, 1, never);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("has no comparison, but the reason, when one build cannot do it", async () => {
    let asked = 0;
    const measured = new MeasuredRow(
      row((peer) => {
        if (peer === sides.head) return 1;
        asked += 1;
        throw new Error("there is no such command");
      }),
      10,
    );
    for (let block = 0; block < 2; block++) await measured.measureBlock(sides, 2, never);
    expect([measured.result(), asked]).toEqual([
      {
        key: "row",
        title: "a row",
        comparison: undefined,
        problems: { base: "there is no such command" },
        blocks: [[]],
      },
      1,
    ]);
    expect(measured.progress).toBe("row: failed in base");
  });

  it("stops between two rounds when it is interrupted", async () => {
    const interruption = new AbortController();
    const measured = new MeasuredRow(
      row(() => {
        interruption.abort(new Error("stopped"));
        return 1;
      }),
      10,
    );
    await expect(measured.measureBlock(sides, 1, interruption.signal)).rejects.toThrow("stopped");
  });
});
