import { readFileSync, writeFileSync } from "node:fs";
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
          text: `The server's configuration is not valid: ${join(server.home.directory, "config.json")}: vm.limit is no setting (did you mean limits?). Correct it. The next call reads it again.`,
        },
      ],
    });
    configure({
      vm: {
        limits: { maxFilesystemBytes: 65_536 },
        permissions: {
          fs: {
            default: "allow",
            rules: [
              { mode: "ask", operations: ["read"], paths: ["/etc/passwd"] },
              { mode: "deny", operations: ["write"], paths: ["/tmp/closed/**"] },
            ],
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

  it("is the most that a client gets, who may ask for less", async () => {
    const file = join(server.home.directory, "config.json");
    const refused = await client.call("vm_create", {
      name: "two",
      limits: { maxFilesystemBytes: 65_537 },
    });
    expect([refused.isError, refused.content[0]?.text]).toEqual([
      true,
      `limits.maxFilesystemBytes is 65537; a client of this server may ask for 65536 at most, by vm.limits.maxFilesystemBytes in ${file}. Ask for less, or have the person who runs the server raise it there. The change takes effect after agentos-mcp stop.`,
    ]);
    const all = await client.call("vm_create", { name: "two", memory_mb: 1_000_000 });
    expect(all.content[0]?.text).toMatch(
      /^memory_mb is 1000000; a client of this server may ask for \d+ at most, by maxMemoryMb in /,
    );
    await client.call("vm_destroy", { vm_id: "one" });
    const limits = { maxFilesystemBytes: 4096, maxProcesses: 500 };
    const less = await client.call("vm_create", { name: "less", memory_mb: 200, limits });
    expect(less.structuredContent).toMatchObject({ vm_id: "less", is_new: true });
    const command = "head -c 5000 /dev/zero > big";
    const { structuredContent } = await client.call("vm_exec", { vm_id: "less", command });
    expect(structuredContent).toMatchObject({
      exit_code: 1,
      stderr: expect.stringContaining("maxFilesystemBytes is 4096"),
    });
    await client.call("vm_destroy", { vm_id: "less" });
    await client.call("vm_create", { name: "one" });
  });

  it("is named, rule and all, by whoever meets it", async () => {
    const command = "mkdir /tmp/closed; echo a > /tmp/closed/a; cp /etc/hosts /tmp/closed/b";
    const { structuredContent } = await client.call("vm_exec", { vm_id: "one", command });
    const why = "Permission denied (blocked by fs.write policy (fs.rules[1]))";
    expect(structuredContent).toMatchObject({
      exit_code: 1,
      stderr: `bash: line 1: /tmp/closed/a: ${why}\ncp: cannot create regular file '/tmp/closed/b': ${why}\n`,
    });
    const code = `
      const words = async (run) => { try { await run(); } catch (error) { return [error.code, error.message]; } };
      const { openSync, promises, writeFile, writeFileSync } = require("node:fs");
      const callback = () => new Promise((_, reject) => writeFile("/tmp/closed/e", "x", reject));
      return [
        await words(() => writeFileSync("/tmp/closed/c", "x")), await words(() => promises.appendFile("/tmp/closed/d", "x")),
        await words(callback), await words(() => openSync("/nowhere/x", "w")), await words(() => { for (;;) openSync("/dev/null"); }),
      ]`;
    const ran = await client.call("code_run", { vm_id: "one", code, check: false });
    const denied = "EACCES: permission denied (blocked by fs.write policy (fs.rules[1])), open";
    expect(ran.structuredContent).toMatchObject({
      result: [
        ...["c", "d", "e"].map((name) => ["EACCES", `${denied} '/tmp/closed/${name}'`]),
        ["ENOENT", "ENOENT: no such file or directory, open '/nowhere/x'"],
        [
          "EMFILE",
          "EMFILE: too many open files (limit maxOpenFds is 256; raise limits.maxOpenFds of the VM), open '/dev/null'",
        ],
      ],
    });
  });

  it("is refused where the server that runs has another", async () => {
    const own = join(server.home.directory, "config.json");
    const other = join(server.home.directory, "other.json");
    writeFileSync(other, "{}");
    const words = ["exec", "--vm", "one", "--", "echo here"];
    expect(await server.run(["exec", "--config", own, ...words.slice(1)])).toMatchObject({
      status: 0,
      stderr: "",
    });
    expect(await server.run(["exec", "--config", other, ...words.slice(1)])).toMatchObject({
      status: 1,
      stderr: `agentos-mcp: A server runs already (pid ${server.serverPid}), configured by ${own}, not by ${other}. Stop it first (agentos-mcp stop; this ends its VMs), or give this one a home of its own (--home DIR).\n`,
    });
  });

  it("is said to have changed, once it has, and holds as it was read", async () => {
    const file = join(server.home.directory, "config.json");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, "{ this is no JSON");
    const words = ["exec", "--vm", "one", "--", "echo $GREETING"];
    const { status, stdout, stderr } = await server.run(words);
    expect([status, String(stdout), stderr]).toEqual([
      0,
      "configured\n",
      `agentos-mcp: ${file} has changed since the server (pid ${server.serverPid}) read it. The change takes effect with the next server: agentos-mcp stop ends this one, and its VMs with it.\n`,
    ]);
    const late = await connectModern(server.command);
    const look = async (): Promise<unknown> =>
      (await late.call("vm_exec", { vm_id: "one", command: "true" })).structuredContent?.["notice"];
    expect([await look(), await look()]).toEqual([
      `${file} has changed since the server (pid ${server.serverPid}) read it. The change takes effect with the next server: agentos-mcp stop ends this one, and its VMs with it.`,
      undefined,
    ]);
    await late.close();
    writeFileSync(file, before);
    expect((await server.run(words)).stderr).toBe("");
  });

  it("is topped by the environment", async () => {
    const { isError, content } = await client.call("vm_create");
    expect([isError, content[0]?.text]).toEqual([
      true,
      "The server has 1 VMs, which is its limit. Destroy a VM that nobody needs, or raise maxVms in the configuration.",
    ]);
  });
});
