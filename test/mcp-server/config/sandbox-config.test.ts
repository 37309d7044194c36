import { describe, expect, it } from "vitest";
import { sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";

describe("sandbox of the configuration", () => {
  it("takes containers with their image", () => {
    const config = { provider: "docker", image: "debian:13", pull: true } as const;
    expect(sandboxConfig.parse(config)).toEqual(config);
  });

  it.each([
    ["no image", { provider: "docker" }, "image"],
    ["the host's tools", { provider: "docker", image: "host" }, "image"],
    ["a provider that is none", { provider: "somebody" }, "provider"],
    ["a wish that is none", { pull: "yes" }, "pull"],
  ])("refuses %s", (_what, config, field) => {
    const parsed = sandboxConfig.safeParse(config);
    expect(parsed.error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
  });
});
