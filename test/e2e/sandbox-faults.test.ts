// The installed server is killed while sandboxes run: nothing of them runs on, and the next server clears up.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProcesses, findRemains } from "../mcp-server/sandboxes/remains.ts";
import { noSandboxes } from "../mcp-server/sandboxes/station.ts";
import { eventually } from "../support/eventually.ts";
import { unless } from "../support/unless.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

const mark = `mark-${process.pid}-killed`;

describe("kill -9 of the server while sandboxes run", unless(noSandboxes), () => {
  let server: InstalledServer;
  let client: McpClient;
  const sh = async (vm_id: string, command: string) =>
    (await client.call("vm_exec", { vm_id, command })).structuredContent;
  const refs = () => readdirSync(join(server.home.directory, "sandboxes", "local"));
  beforeAll(async () => {
    server = InstalledServer.install();
    const config = { sandbox: { limits: { memoryMb: 256, pids: 64 } } };
    writeFileSync(join(server.home.directory, "config.json"), JSON.stringify(config));
    client = await connectModern(server.command);
  });
  afterAll(async () => {
    await client.close();
    await server.remove();
  });

  it("ends them, answers who waits, and the next server removes what lies about", async () => {
    for (const vm of ["one", "two"]) {
      await client.call("vm_create", { name: vm });
      const begun = `echo kept > /sandbox/note; sandbox exec -d -- sh -c 'sleep 600; : ${mark}'`;
      expect(await sh(vm, begun)).toMatchObject({ stdout: "1\n" });
    }
    const open = sh("one", `sandbox exec -- sh -c 'sleep 600; : ${mark}'`);
    open.catch(() => undefined);
    await eventually("all run", () => findProcesses(mark).length >= 3);
    const before = refs();
    expect(before.length).toBe(2);
    process.kill(server.serverPid, "SIGKILL");
    await expect(open).rejects.toThrow(/server/i);
    await eventually("no process of theirs runs", () => findProcesses(mark).length === 0);
    await client.call("vm_create", { name: "three" });
    expect(await sh("three", "ls /sandbox; sandbox exec echo here")).toMatchObject({
      stdout: "here\n",
    });
    const home = server.home.directory;
    const remains = () => before.flatMap((ref) => findRemains({ home, ref, mark }));
    await eventually("all is cleared", () => remains().length === 0 && refs().length === 1).catch(
      () => undefined,
    );
    expect(remains()).toEqual([]);
    expect(refs().length).toBe(1);
    const workspaces = join(home, "sandboxes", "workspaces");
    await eventually("their files are gone", () => readdirSync(workspaces).length === 1);
  });
});
