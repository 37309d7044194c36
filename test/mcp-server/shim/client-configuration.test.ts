import { describe, expect, it } from "vitest";
import { clientConfiguration } from "../../../src/mcp-server/shim/client-configuration.ts";

describe("clientConfiguration", () => {
  it("names node and the installed file by their paths", () => {
    expect(
      JSON.parse(
        clientConfiguration(
          "/usr/lib/node_modules/agentos-mcp/bin/agentos-mcp.mjs",
          "/usr/bin/node",
        ),
      ),
    ).toEqual({
      mcpServers: {
        agentos: {
          command: "/usr/bin/node",
          args: ["/usr/lib/node_modules/agentos-mcp/bin/agentos-mcp.mjs"],
        },
      },
    });
  });

  it.each([
    "/home/u/.npm/_npx/0a1b/node_modules/agentos-mcp/bin/agentos-mcp.mjs",
    "C:\\npm\\_npx\\0a1b\\agentos-mcp.mjs",
  ])("names the package when it runs from npx's cache: %s", (binFile) => {
    expect(JSON.parse(clientConfiguration(binFile))).toEqual({
      mcpServers: { agentos: { command: "npx", args: ["-y", "agentos-mcp"] } },
    });
  });
});
