import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { maskSecrets } from "../../../../src/mcp-server/toolkits/mcp/mask-secrets.ts";
import type { ServerSpec } from "../../../../src/mcp-server/toolkits/mcp/server-spec.ts";

describe("maskSecrets", () => {
  it("takes out what the configuration gives a process, but for what every process has", () => {
    const env = { KEY: "hunter2-hunter2", LEVEL: "info", PATH: "/usr/bin:/bin", HOME: homedir() };
    const spec: ServerSpec = { kind: "stdio", command: "a", args: [], env, cwd: undefined };
    expect(maskSecrets(`info hunter2-hunter2 /usr/bin:/bin ${homedir()}/x`, spec)).toBe(
      "info *** /usr/bin:/bin ~/x",
    );
  });

  it("takes out a header and the credential in it, and leaves its scheme", () => {
    const headers = { Authorization: "Bearer abcdefgh" };
    const url = new URL("https://example.com");
    const spec: ServerSpec = { kind: "http", url, headers, transport: "auto" };
    expect(maskSecrets("Bearer abcdefgh / Bearer x / abcdefgh", spec)).toBe("*** / Bearer x / ***");
  });
});
