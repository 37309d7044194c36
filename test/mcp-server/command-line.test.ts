import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../src/mcp-server/command-line.ts";

const options = {
  vm: { value: "NAME", env: "AGENTOS_MCP_VM", says: "Which VM" },
  root: { says: "As root" },
};
const parse = (args: string[], env: NodeJS.ProcessEnv = {}): object => {
  const { flags, switches, words } = parseCommandLine(args, options, env);
  return { flags: Object.fromEntries(flags), switches: [...switches], words };
};

describe("parseCommandLine", () => {
  it("reads flags in both forms, switches and words in any order", () => {
    expect(parse(["one", "--vm", "a", "--root", "two"])).toEqual({
      flags: { vm: "a" },
      switches: ["root"],
      words: ["one", "two"],
    });
    expect(parse(["--vm=a=b"])).toEqual({ flags: { vm: "a=b" }, switches: [], words: [] });
    expect(parse(["--vm="])).toEqual({ flags: { vm: "" }, switches: [], words: [] });
  });

  it("leaves alone what follows --", () => {
    expect(parse(["--vm", "a", "--", "ls", "--vm", "-la", "--"])).toEqual({
      flags: { vm: "a" },
      switches: [],
      words: ["ls", "--vm", "-la", "--"],
    });
  });

  it("takes flags from the environment unless they are given", () => {
    expect(parse([], { AGENTOS_MCP_VM: "e" })).toMatchObject({ flags: { vm: "e" } });
    expect(parse(["--vm", "a"], { AGENTOS_MCP_VM: "e" })).toMatchObject({ flags: { vm: "a" } });
    expect(parse([], { AGENTOS_MCP_VM: "" })).toMatchObject({ flags: {} });
  });

  it("refuses a flag nobody knows, also those every object has", () => {
    expect(() => parse(["--vn", "a"])).toThrow("Unknown option --vn. Did you mean --vm?");
    expect(() => parse(["--toString"])).toThrow("Unknown option --toString.");
    expect(() => parse(["--vm"])).toThrow("--vm needs a value.");
  });
});
