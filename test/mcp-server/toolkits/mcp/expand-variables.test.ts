import { describe, expect, it } from "vitest";
import { expandVariables } from "../../../../src/mcp-server/toolkits/mcp/expand-variables.ts";

const env = { HOME: "/home/ada", EMPTY: "", TRICKY: "${HOME} $& $1" };
const expand = (text: string): string =>
  expandVariables(text, env, (name) => {
    throw new Error(`no ${name}`);
  });

describe("expandVariables", () => {
  it("fills in variables as MCP hosts write them", () => {
    expect(expand("${HOME}/x:${env:HOME}")).toBe("/home/ada/x:/home/ada");
    expect(expand("${NONE:-default} ${EMPTY:-default} [${EMPTY}]")).toBe("default default []");
  });

  it("fills in a value once, as it is", () => {
    expect(expand("${TRICKY}")).toBe("${HOME} $& $1");
  });

  it("leaves alone what is no variable", () => {
    expect(expand("$HOME ${1X} ${} ${HOME")).toBe("$HOME ${1X} ${} ${HOME");
  });

  it("tells of a variable that is not set", () => {
    expect(() => expand("${NONE}")).toThrow("no NONE");
  });
});
