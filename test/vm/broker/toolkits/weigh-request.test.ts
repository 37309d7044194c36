import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weighRequest } from "../../../../src/vm/broker/toolkits/weigh-request.ts";

const weigh = (text: string): number => weighRequest(new TextEncoder().encode(text));
const long = " ".repeat(64 * 1024);

/** Objects, lists and other values, as JSON.parse makes them. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const inner = Object.values(value);
  return 1 + inner.reduce<number>((sum, one) => sum + countOf(one), 0);
}

describe("weighRequest", () => {
  it("counts values, not what stands in texts", () => {
    const quoted = JSON.stringify(`${"[],{".repeat(1000)}\\"`);
    expect(weigh(`${long}${quoted}`)).toBe(long.length + quoted.length + 64);
    const lists = '[[],[],{"a":1,"b":[]}]';
    expect(weigh(`${long}${lists}`)).toBe(long.length + lists.length + 64 * 9);
  });

  it("never takes a value for less than it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = `${long}${JSON.stringify(value)}`;
        const values = (weigh(text) - new TextEncoder().encode(text).length) / 64;
        expect(values).toBeGreaterThanOrEqual(countOf(value) / 2);
      }),
    );
  });

  it("reads a text without an end to its end", () => {
    expect(weigh(`${long}"abc`)).toBe(long.length + 4 + 64);
    expect(weigh(`${long}"abc\\"`)).toBe(long.length + 6 + 64);
  });
});
