import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isRunning } from "../mcp-server/support/test-home.ts";
import { eventually } from "../support/eventually.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient, type ToolResult } from "./mcp-clients.ts";

let server: InstalledServer;
let client: McpClient;
const vm_id = "one";

beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());
beforeEach(async () => {
  client = await connectModern(server.command);
  await client.call("vm_destroy", { vm_id });
  await client.call("vm_create", { name: vm_id });
});
afterEach(() => client.close());

const endless = "echo begun; while :; do :; done";
const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join("\n");

/** Calls vm_exec and resolves, with the call on its way, when its command has said something. */
async function startCall(from: McpClient): Promise<{ answer: Promise<ToolResult> }> {
  const begun = Promise.withResolvers<void>();
  const answer = from.call(
    "vm_exec",
    { vm_id, command: endless },
    { onprogress: () => begun.resolve() },
  );
  // It is looked at by the test, or nobody waits for it any more.
  answer.catch(() => undefined);
  await begun.promise;
  return { answer };
}

async function statuses(from: McpClient): Promise<string[]> {
  const { vms } = (await from.call("vm_list", { vm_id })).structuredContent as {
    vms: { execs: { status: string }[] }[];
  };
  return vms[0]?.execs.map(({ status }) => status) ?? [];
}

describe("a client that leaves", () => {
  it("takes the command along that it waits for", async () => {
    const other = await connectModern(server.command);
    await startCall(other);
    expect(await statuses(client)).toEqual(["running"]);
    await other.close();
    await eventually("the command has ended", async () => (await statuses(client))[0] === "killed");
  });

  it("leaves a command running that has answered `running`", async () => {
    const other = await connectModern(server.command);
    const begun = await other.call("vm_exec", { vm_id, command: endless, yield_ms: 0 });
    await other.close();
    await eventually("the shim has left", () => !isRunning(other.pid));
    const input = { vm_id, exec_id: "1", signal: "KILL" };
    const ended = await client.call("vm_exec_io", input);
    expect(begun.structuredContent).toMatchObject({ status: "running" });
    // Another client's first answer begins at the command's start, whatever the first client has seen.
    expect(ended.structuredContent).toMatchObject({ status: "killed", stdout: "begun\n" });
  });
});

describe("kill -9", () => {
  it("of a cell ends its VM only, is told, and the VM starts anew", async () => {
    await client.call("vm_exec", { vm_id, command: "echo old > note" });
    const { answer } = await startCall(client);
    for (const pid of server.home.cellPids()) process.kill(pid, "SIGKILL");
    const lost = await answer;
    expect(lost.isError).toBe(true);
    expect(textOf(lost)).toBe(
      'The VM "one" stopped: its cell was ended by SIGKILL. Its processes and files are gone. Call again. The VM starts with an empty file system.',
    );
    const again = await client.call("vm_exec", { vm_id, command: "cat note; echo alive" });
    expect(again.structuredContent).toMatchObject({
      status: "exited",
      stdout: "alive\n",
      stderr: "cat: note: No such file or directory\n",
      notice:
        'The VM "one" had stopped: its cell was ended by SIGKILL. It has started anew; its processes and files are gone.',
    });
    const third = await client.call("vm_exec", { vm_id, command: "echo once" });
    expect(third.structuredContent).not.toHaveProperty("notice");
    const { vms } = (await client.call("vm_list", { vm_id })).structuredContent as {
      vms: object[];
    };
    expect(vms[0]).toMatchObject({ state: "running", restarts: 1 });
  });

  it("of the server ends its cells, answers the open call, and the client goes on", async () => {
    const { answer } = await startCall(client);
    const cells = server.home.cellPids();
    expect(cells.length).toBeGreaterThan(0);
    process.kill(server.serverPid, "SIGKILL");
    await expect(answer).rejects.toThrow(/server/i);
    await eventually("its cells are gone", () => !cells.some(isRunning));
    const gone = await client.call("vm_exec", { vm_id, command: "true" });
    expect(textOf(gone)).toMatch(
      /^The VM "one" is gone, with its files and processes: the server that had it has ended\./,
    );
    await client.call("vm_create", { name: vm_id });
    const again = await client.call("vm_exec", { vm_id, command: "echo again" });
    expect(again.structuredContent).toMatchObject({ stdout: "again\n" });
  });

  it("of the shim ends the command it waits for, and nothing else", async () => {
    const other = await connectModern(server.command);
    await startCall(other);
    process.kill(other.pid, "SIGKILL");
    await eventually("the command has ended", async () => (await statuses(client))[0] === "killed");
    await other.close();
    const still = await client.call("vm_exec", { vm_id, command: "echo here" });
    expect(still.structuredContent).toMatchObject({ stdout: "here\n" });
    expect(new Set(server.home.pids())).toEqual(new Set([client.pid, server.serverPid]));
  });
});

describe("the last client that leaves", () => {
  it("leaves no process behind but the server and its cells, which go when they are stopped", async () => {
    await client.call("vm_exec", { vm_id, command: endless, yield_ms: 0 });
    await client.close();
    const cells = server.home.cellPids();
    const { serverPid } = server;
    expect((await server.run(["stop", "--yes"])).status).toBe(0);
    expect(server.home.pids()).toEqual([]);
    expect([serverPid, ...cells].filter(isRunning)).toEqual([]);
  });
});
