import { describe, expect, it } from "vitest";
import { expandHistory } from "../../../../src/vm/shell/history/expand-history.ts";
import { History } from "../../../../src/vm/shell/history/history.ts";

describe("history expansion", () => {
  it("refuses to grow a line without end", () => {
    const history = new History();
    history.add("x".repeat(600_000), undefined, 10);
    const options = { history, hasExtglob: false, isPosix: false, quote: "" };
    expect(() => expandHistory("!! !!", options)).toThrow("!!: expansion too long");
  });

  it("leaves a line without events as it is", () => {
    const options = { history: new History(), hasExtglob: false, isPosix: false, quote: "" };
    expect(expandHistory("echo 'a!b' ! != $! ${!x}", options)).toEqual({
      text: "echo 'a!b' ! != $! ${!x}",
      isChanged: false,
      isOnlyShown: false,
    });
  });
});
