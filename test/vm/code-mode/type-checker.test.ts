import { afterAll, describe, expect, it } from "vitest";
import { TypeChecker } from "../../../src/vm/code-mode/type-checker.ts";

const lines: string[] = [];
const checker = new TypeChecker({ log: (line) => lines.push(line), checkLimitMs: 2_000 });
afterAll(() => checker.close());

const tools = "declare const tools: { a: { b(input: { n: number }): Promise<string> } };";
const check = (code: string): ReturnType<TypeChecker["check"]> => checker.check({ code, tools });

/** A type whose computation has no end worth waiting for. */
const bomb = `
type Tree<D extends number, A extends any[] = []> = A["length"] extends D ? [] : [Tree<D, [...A, 0]>, Tree<D, [...A, 1]>];
type All<T> = T extends [infer L, infer R] ? \`\${All<L>}\${All<R>}0\` | \`\${All<R>}1\${All<L>}\` : "" | "x" | "y";
const x: All<Tree<12>> = "z"; return x`;

describe("TypeChecker", () => {
  it("is ready once it has started", async () => {
    const other = new TypeChecker({ log: () => undefined });
    expect(other.isReady).toBe(false);
    expect(await other.check({ code: "1", tools })).toEqual({ problems: [] });
    expect(other.isReady).toBe(true);
    await other.close();
  });

  it("checks in its process, several at once", async () => {
    const [good, bad] = await Promise.all([
      check("return await tools.a.b({ n: 1 })"),
      check("return await tools.a.b({ n: '1' })"),
    ]);
    expect(good).toEqual({ problems: [] });
    expect(bad).toEqual({
      problems: [
        {
          line: 1,
          column: 26,
          source: "return await tools.a.b({ n: '1' })",
          message: "Type 'string' is not assignable to type 'number'.",
          tool: ["a", "b"],
        },
      ],
    });
  });

  it("gives up types that take too long or too much, and goes on", async () => {
    const outcome = await check(bomb);
    expect(outcome).toEqual({ unchecked: expect.stringMatching(/takes (longer|too much)/) });
    expect(await check("return tools.a.b({ n: 1 })")).toEqual({ problems: [] });
  });

  it("gives up code that is too long or too deep", async () => {
    expect(await check("1;".repeat(200_000))).toEqual({ unchecked: "the code is too long" });
    expect(await check(`return ${"[".repeat(60_000)}${"]".repeat(60_000)}`)).toEqual({
      unchecked: "it is nested too deeply",
    });
    expect(await check("return 1")).toEqual({ problems: [] });
  });

  it("takes no more than it can wait for", async () => {
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => check("return 1")));
    expect(outcomes.filter((outcome) => "unchecked" in outcome)).toHaveLength(8);
  });

  it("says so where it is closed", async () => {
    const closed = new TypeChecker({ log: () => undefined });
    await closed.close();
    expect(await closed.check({ code: "1", tools })).toEqual({
      unchecked: "the server is closing",
    });
  });
});
