import { describe, expect, it } from "vitest";
import { providersOf, sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";

describe("sandbox of the configuration", () => {
  it.each(["host", "/srv/roots/debian.tar", "with-compilers"])(
    "takes a local root: %s",
    (image) => {
      expect(sandboxConfig.parse({ image })).toEqual({ image });
    },
  );

  it("takes containers with their image", () => {
    const config = { provider: "docker", image: "debian:13", pull: true } as const;
    expect(sandboxConfig.parse(config)).toEqual(config);
  });

  it.each([
    ["no image", { provider: "docker" }, "image"],
    ["the host's tools", { provider: "docker", image: "host" }, "image"],
    ["a provider that is none", { provider: "somebody" }, "provider"],
    ["a wish that is none", { pull: "yes" }, "pull"],
    ["images of nobody", { image: "debian:13" }, "image"],
    ["a root with no place", { image: "../root.tar" }, "image"],
    ["no providers", { providers: {} }, "providers"],
    ["providers that are none", { providers: { e3b: {} } }, "providers.e3b"],
    ["no image of one", { providers: { local: {}, docker: {} } }, "providers.docker.image"],
    ["no image of a microVM", { providers: { microsandbox: {} } }, "providers.microsandbox.image"],
    ["keys of others", { providers: { e2b: { pull: true } } }, "providers.e2b"],
    ["two ways to say it", { provider: "local", providers: { local: {} } }, "provider"],
    ["an image of all", { image: "x", providers: { local: {} } }, "image"],
    [
      "no url",
      { providers: { "sandbox-agent": { network: "full" } } },
      "providers.sandbox-agent.url",
    ],
    [
      "walls that are not there",
      { providers: { "sandbox-agent": { url: "https://example.org" } } },
      "providers.sandbox-agent.network",
    ],
    ["a key in the file", { providers: { e2b: { apiKey: "e2b_1" } } }, "providers.e2b.apiKey"],
  ])("refuses %s", (_what, config, field) => {
    const parsed = sandboxConfig.safeParse(config);
    expect(parsed.error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain("e2b_1");
  });

  it("has several providers, in their order, each with what is set for all", () => {
    const config = sandboxConfig.parse({
      policy: "auto",
      limits: { memoryMb: 512, pids: 64 },
      env: { A: "1" },
      providers: {
        e2b: { policy: "ask", limits: { pids: 100 }, apiKey: { env: "MY_KEY" }, env: { B: "2" } },
        docker: { image: "debian:13", costUsdPerHour: 0.1 },
        local: {},
      },
    });
    expect(providersOf(config)).toEqual([
      {
        name: "e2b",
        policy: "ask",
        limits: { memoryMb: 512, pids: 100 },
        apiKey: { env: "MY_KEY" },
        env: { A: "1", B: "2" },
      },
      {
        name: "docker",
        policy: "auto",
        image: "debian:13",
        costUsdPerHour: 0.1,
        limits: { memoryMb: 512, pids: 64 },
        env: { A: "1" },
      },
      { name: "local", policy: "auto", limits: { memoryMb: 512, pids: 64 }, env: { A: "1" } },
    ]);
  });

  it("has the host's own tools where it says nothing", () => {
    expect(providersOf(sandboxConfig.parse({}))).toEqual([{ name: "local" }]);
  });
});
