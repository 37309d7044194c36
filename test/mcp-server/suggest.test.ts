import { describe, expect, it } from "vitest";
import { suggest } from "../../src/mcp-server/suggest.ts";

describe("suggest", () => {
  it.each<[string, string | undefined]>([
    ["serv", "serve"],
    ["srve", "serve"],
    ["exce", "exec"],
    ["vm", "vms"],
    ["dcotor", "doctor"],
    ["zzzz", undefined],
    ["", undefined],
  ])("takes %s for %s", (word, expected) => {
    expect(suggest(word, ["serve", "exec", "shell", "vms", "doctor", "stop"])).toBe(expected);
  });
});
