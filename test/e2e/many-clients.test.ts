// Many MCP clients at once, each a shim of its own, on one VM and on many: every call waits its turn and gets its answer.
// bench/crowd.ts says how long that takes.
import { afterAll, beforeAll, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

const CLIENTS = 24;
/** Of each client, at once: all together more than the 64 commands that a VM runs at one time. */
const CALLS = 8;

let server: InstalledServer;
let clients: McpClient[];
beforeAll(async () => {
  server = InstalledServer.install();
  // The first starts the server.
  clients = [await connectModern(server.command)];
  const others = Array.from({ length: CLIENTS - 1 }, () => connectModern(server.command));
  clients.push(...(await Promise.all(others)));
}, 120_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.remove();
});

it.each([1, 6])(
  `answers ${CLIENTS} clients with ${CALLS} calls each on %i VMs`,
  async (count) => {
    const vms = Array.from({ length: count }, (_, n) => `vm-${count}-${n}`);
    for (const name of vms) await clients[0]?.call("vm_create", { name });
    const words = Array.from({ length: CLIENTS * CALLS }, (_, n) => `word-${n}`);
    const answers = await Promise.all(
      words.map(async (word, n) => {
        const vm_id = vms[n % vms.length];
        const command = `echo ${word} | cat`;
        const answer = await clients[n % CLIENTS]?.call("vm_exec", { vm_id, command });
        return answer?.structuredContent?.["stdout"] ?? answer?.content;
      }),
    );
    expect(answers).toEqual(words.map((word) => `${word}\n`));
  },
  120_000,
);
