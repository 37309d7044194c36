import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../installed-server.ts";
import { connectModern, type McpClient } from "../mcp-clients.ts";

let server: InstalledServer;
let client: McpClient;
beforeAll(async () => {
  server = InstalledServer.install();
  client = await connectModern(server.command);
  const limits = { cpuTimeLimitMs: 1000, cpuRefillMsPerSecond: 500 };
  await client.call("vm_create", { name: "little", limits });
  // With hardly a refill: a busy machine may give a loop less than half a processor.
  await client.call("vm_create", { name: "less", limits: { ...limits, cpuRefillMsPerSecond: 1 } });
});
afterAll(async () => {
  await client.close();
  await server.remove();
});

/** Computes for so many microseconds of CPU time. */
const BURN =
  "const burn = (us) => { const u = process.threadCpuUsage(); while (process.threadCpuUsage(u).user < us); };";

describe("a JavaScript process in a VM with little CPU time", () => {
  it("goes on where it gets back what it uses, however much that is in all", async () => {
    // 0.2 s each second until it has used twice the limit.
    const code = `${BURN} let n = 0; const timer = setInterval(() => { burn(200000); n += 1; if (n === 10) { clearInterval(timer); console.log("still here"); } }, 1000);`;
    const args = { vm_id: "little", command: `node -e '${code}'`, yield_ms: 50_000 };
    expect((await client.call("vm_exec", args)).structuredContent).toMatchObject({
      stdout: "still here\n",
      exit_code: 0,
    });
  });

  it("is stopped in an endless loop, and the result says by which limit", async () => {
    const args = { vm_id: "less", command: "node -e 'for (;;);'", yield_ms: 50_000 };
    expect((await client.call("vm_exec", args)).structuredContent).toMatchObject({
      status: "killed",
      signal: "SIGXCPU",
      notice: expect.stringMatching(
        /^Ended process \d+ \(node -e for \(;;\);\): it used its 1 s of CPU time \(0\.001 s more for each second it runs\)\. /,
      ),
    });
  });
});
