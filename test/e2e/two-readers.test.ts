import { afterAll, beforeAll, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

let server: InstalledServer;
let one: McpClient;
let other: McpClient;
beforeAll(async () => {
  server = InstalledServer.install();
  [one, other] = await Promise.all([connectModern(server.command), connectModern(server.command)]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await server.remove();
});

/** All that a connection is shown of a command until it has ended. */
async function readToEnd(client: McpClient, exec_id: unknown): Promise<string> {
  const parts: unknown[] = [];
  for (;;) {
    const input = { vm_id: "long", exec_id, yield_ms: 20, max_output_bytes: 375_000 };
    const { structuredContent = {} } = await client.call("vm_exec_io", input);
    parts.push(structuredContent["stdout"]);
    if (structuredContent["status"] !== "running") return parts.join("");
  }
}

it("shows two connections that read one long command all of its output, in order", async () => {
  await one.call("vm_create", { name: "long" });
  const command =
    "for ((i = 0; i < 200; i++)); do seq $((i * 100)) $((i * 100 + 99)); sleep 0.01; done";
  const started = await one.call("vm_exec", { vm_id: "long", command, yield_ms: 0 });
  const { exec_id, status, stdout: first } = started.structuredContent ?? {};
  expect(status).toBe("running");
  const all = Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join("");
  const [byOne, byOther] = await Promise.all([readToEnd(one, exec_id), readToEnd(other, exec_id)]);
  expect(`${String(first)}${byOne}` === all).toBe(true);
  expect(byOther === all).toBe(true);
});
