import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

let server: InstalledServer;
let client: McpClient;
beforeAll(async () => {
  server = InstalledServer.install({ AGENTOS_MCP_MAX_VMS: "1" });
  configure({ vm: { limit: {} } });
  client = await connectModern(server.command);
});
afterAll(async () => {
  await client.close();
  await server.remove();
});

function configure(config: object): void {
  writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
}

describe("the configuration of a server", () => {
  it("is named, file and key, when it is wrong, and read again when it is put right", async () => {
    const wrong = await client.call("vm_create", { name: "one" });
    expect(wrong).toMatchObject({
      isError: true,
      content: [
        {
          type: "text",
          text: "The server's configuration is wrong: config.json: vm.limit is no setting (did you mean limits?). Correct it: the next call reads it again.",
        },
      ],
    });
    configure({
      vm: {
        limits: { maxFilesystemBytes: 65_536 },
        permissions: {
          fs: {
            default: "allow",
            rules: [{ mode: "ask", operations: ["read"], paths: ["/etc/passwd"] }],
          },
        },
        env: { GREETING: "configured" },
      },
    });
    const right = await client.call("vm_create", { name: "one" });
    expect(right.structuredContent).toMatchObject({ vm_id: "one" });
  });

  it("holds for every VM: variables, limits and permissions", async () => {
    const run = async (command: string): Promise<unknown> =>
      (await client.call("vm_exec", { vm_id: "one", command })).structuredContent;
    expect(await run("echo $GREETING")).toMatchObject({ stdout: "configured\n" });
    expect(await run("head -c 100000 /dev/zero > big")).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining("maxFilesystemBytes is 65536"),
    });
    // Nobody at this client can be asked: it waits, and the answer says how to agree.
    expect(await run("cat /etc/passwd")).toMatchObject({
      status: "running",
      stdout: "",
      pending: [{ summary: "fs: read /etc/passwd (VM one)" }],
    });
  });

  it("is topped by the environment", async () => {
    const { isError, content } = await client.call("vm_create");
    expect([isError, content[0]?.text]).toEqual([
      true,
      "There are 1 VMs, the limit. Destroy a VM that is not needed, or raise maxVms.",
    ]);
  });
});
