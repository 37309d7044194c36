import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

const careless = `
import { tool, toolkit } from "agentos-mcp/toolkit";

export default toolkit("careless", {
  tools: {
    leave: tool({
      description: "Leaves a rejection behind",
      handler: () => {
        Promise.reject(new Error("nobody looks"));
        return "left";
      },
    }),
  },
});
`;

let server: InstalledServer;
let client: McpClient;
beforeAll(async () => {
  server = InstalledServer.install({});
  const { directory } = server.home;
  writeFileSync(join(directory, "careless.mjs"), careless);
  const config = { toolkits: { careless: { module: "./careless.mjs" } } };
  writeFileSync(join(directory, "config.json"), JSON.stringify(config));
  client = await connectModern(server.command);
});
afterAll(async () => {
  await client.close();
  await server.remove();
});

it("outlives a rejection that a toolkit leaves behind, with its VMs", async () => {
  const run = async (command: string): Promise<unknown> =>
    (await client.call("vm_exec", { command })).structuredContent;
  await run("echo kept > file");
  expect(await run("agentos-careless leave")).toMatchObject({ stdout: "left\n", exit_code: 0 });
  expect(await run("agentos-careless leave; cat file")).toMatchObject({
    stdout: "left\nkept\n",
  });
});
