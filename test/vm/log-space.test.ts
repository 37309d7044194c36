import { describe, expect, it } from "vitest";
import { LogSpace } from "../../src/vm/log-space.ts";

describe("LogSpace", () => {
  it("grants what is there, in its own limit and in the one above", () => {
    const all = new LogSpace(100);
    const one = new LogSpace(80, { parent: all });
    const two = new LogSpace(80, { parent: all });
    expect([one.take(60), two.take(60), one.take(60)]).toEqual([60, 40, 0]);
    one.give(60);
    expect([all.usedBytes, two.take(60)]).toEqual([40, 40]);
  });

  it("asks for room before it grants less", () => {
    let asked = 0;
    const space: LogSpace = new LogSpace(100, {
      makeRoom: () => {
        asked += 1;
        space.give(70);
      },
    });
    expect([space.take(70), space.take(20), asked, space.take(50), asked]).toEqual([
      70, 20, 0, 50, 1,
    ]);
  });
});
