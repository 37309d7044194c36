import { describe, expect, it } from "vitest";
import { CellWatch } from "../../../../src/vm/broker/cell-process/cell-watch.ts";

const limits = { pingEveryMs: 100, silentLimitMs: 300 };

describe("CellWatch", () => {
  it("pings once each period while the cell answers", () => {
    const watch = new CellWatch(1_000, limits);
    const verdicts = [];
    for (let tick = 0; tick < 6; tick++) {
      verdicts.push(watch.judge(50, 10));
      watch.heard();
    }
    expect(verdicts).toEqual(["fine", "ping", "fine", "ping", "fine", "ping"]);
  });

  it("calls a cell silent that owes an answer for the limit", () => {
    const watch = new CellWatch(1_000, limits);
    const verdicts = [100, 100, 100, 99, 1].map((elapsed) => watch.judge(elapsed, 10));
    expect(verdicts).toEqual(["ping", "fine", "fine", "fine", "silent"]);
  });

  it("starts over when an answer comes late", () => {
    const watch = new CellWatch(1_000, limits);
    expect([watch.judge(100, 10), watch.judge(299, 10)]).toEqual(["ping", "fine"]);
    watch.heard();
    expect([watch.judge(99, 10), watch.judge(1, 10), watch.judge(299, 10)]).toEqual([
      "fine",
      "ping",
      "fine",
    ]);
  });

  it("asks for a cleaning before a ping, and leaves none out", () => {
    const watch = new CellWatch(1_000, limits);
    expect([watch.judge(100, 800), watch.isHigh]).toEqual(["relieve", true]);
    expect([watch.judge(1, 800), watch.judge(1, 800)]).toEqual(["ping", "fine"]);
  });

  it("finds a cell silent that owes an answer, however full it is", () => {
    const watch = new CellWatch(1_000, limits);
    expect([watch.judge(100, 10), watch.judge(299, 800), watch.judge(1, 800)]).toEqual([
      "ping",
      "relieve",
      "silent",
    ]);
  });

  it("judges only silence where the host does not tell the memory", () => {
    const watch = new CellWatch(0, limits);
    expect([watch.judge(100, undefined), watch.judge(300, undefined)]).toEqual(["ping", "silent"]);
  });
});
