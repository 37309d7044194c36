import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());

describe("agentos-mcp doctor", () => {
  it("prints its findings for people and for programs, without a server", async () => {
    const text = await server.run(["doctor"]);
    const json = await server.run(["doctor", "--json"]);
    const report = JSON.parse(json.stdout.toString()) as {
      state: string;
      checks: { name: string }[];
    };
    expect(text.status).toBe(report.state === "failed" ? 1 : 0);
    expect(json.status).toBe(text.status);
    expect([text.stderr, json.stderr]).toEqual(["", ""]);
    for (const { name } of report.checks) expect(text.stdout.toString()).toContain(`${name}: `);
    expect(report.checks.length).toBeGreaterThan(10);
    expect(server.home.records()).toEqual([]);
  });

  it("loads the toolkits of the configuration, and says which cannot be used", async () => {
    const good = { name: "x", description: "", expose: "cli" };
    const source = `export default { ...${JSON.stringify(good)}, async tools() { return [{ name: "t" }]; } };
      setInterval(() => undefined, 1000);`;
    writeFileSync(join(server.home.directory, "good.mjs"), source);
    const config = {
      toolkits: {
        good: { module: "./good.mjs" },
        gone: { module: "./gone.mjs" },
        api: { openapi: "./none.yaml" },
      },
      mcpServers: { other: { command: "never-started" } },
    };
    const file = join(server.home.directory, "config.json");
    writeFileSync(file, JSON.stringify(config));
    const { stdout } = await server.run(["doctor", "--json"]);
    const report = JSON.parse(stdout.toString()) as { state: string; checks: { group: string }[] };
    expect(report.checks.filter(({ group }) => group === "configuration")).toEqual([
      { group: "configuration", name: "file", state: "ok", detail: `${file} can be used` },
      {
        group: "configuration",
        name: "VM",
        state: "ok",
        detail: "one starts, and runs a command",
      },
      { group: "configuration", name: "toolkits", state: "ok", detail: "good has 1 tools" },
      {
        group: "configuration",
        name: "toolkits",
        state: "warning",
        detail: "gone cannot be used",
        remedy: expect.stringMatching(/^The module gone\.mjs cannot be loaded: Cannot find module/),
      },
      {
        group: "configuration",
        name: "toolkits",
        state: "warning",
        detail: "api cannot be used",
        remedy: "The OpenAPI document none.yaml cannot be read (ENOENT).",
      },
      {
        group: "configuration",
        name: "toolkits",
        state: "ok",
        detail: "1 MCP servers, not started",
      },
    ]);
    writeFileSync(file, '{"toolkits": 1}');
    const broken = await server.run(["doctor"]);
    expect(broken.status).toBe(1);
    expect(broken.stdout.toString()).toContain(
      `FAILED    file: ${file}: toolkits must be of type `,
    );
  });

  it.each([
    [
      { limits: { maxProcesses: 1 } },
      "limit maxProcesses is 1; raise limits.maxProcesses of the VM",
    ],
    [{ software: ["/nowhere/at/all"] }, "cannot be mounted: it does not exist"],
  ])("fails where no VM starts with the configuration that is asked for: %j", async (vm, words) => {
    const file = join(server.home.directory, "asked-for.json");
    writeFileSync(file, JSON.stringify({ vm }));
    const { status, stdout } = await server.run(["doctor", "--config", file]);
    const lines = stdout.toString().split("\n");
    const at = lines.findIndex((line) => line.includes("FAILED    VM: "));
    expect(lines[at]).toContain(words);
    expect(lines[at + 1]).toContain(`Change ${file}.`);
    expect(lines.findLast((line) => line !== "")).toBe(
      "Something marked FAILED must be put right before guests are run.",
    );
    expect(status).toBe(1);
  });
});
