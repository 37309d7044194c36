import { describe, expect, it } from "vitest";
import { environment } from "../../../src/mcp-server/tools/arguments.ts";
import { guestEnvironment } from "../../../src/mcp-server/tools/guest-environment.ts";

describe("guestEnvironment", () => {
  it("takes variables as they are", () => {
    expect(guestEnvironment({ A: "", B: "a=b\nc" })).toEqual({ A: "", B: "a=b\nc" });
  });

  it.each([
    [{ "": "x" }, '"" cannot be a variable'],
    [{ "A=B": "x" }, '"A=B" cannot be a variable'],
    [{ A: "x\0" }, '"A" cannot be a variable'],
    [{ A: "x".repeat(200_000) }, "they have 200001 bytes, more than 131072"],
  ])("refuses what cannot be set", (env, problem) => {
    expect(() => guestEnvironment(env)).toThrow(
      `The environment variables are not valid: ${problem}.`,
    );
  });
});

describe("the argument env", () => {
  it("takes variables, and refuses the one name that would get lost", () => {
    expect(environment.safeParse({ A: "1", constructor: "2" })).toEqual({
      success: true,
      data: { A: "1", constructor: "2" },
    });
    const { error } = environment.safeParse(JSON.parse('{"__proto__":"x"}'));
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'no variable can be named "__proto__"',
    ]);
  });
});
