import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";

let server: InstalledServer;
beforeAll(async () => {
  server = await InstalledServer.install();
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
});
