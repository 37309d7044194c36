import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import "../support/dist.ts";
import { TestHome } from "../mcp-server/support/test-home.ts";
import { eventually } from "../support/eventually.ts";
import { clientKinds, type McpClient, type ServerCommand } from "./mcp-clients.ts";

interface Configuration {
  readonly mcpServers: { readonly agentos: { readonly command: string; readonly args: string[] } };
}

let home: TestHome;
beforeAll(() => {
  home = new TestHome();
});
afterAll(() => home.close());

/** examples/claude-desktop-config.json exactly as it is, in this checkout, without the network. */
function server(): ServerCommand {
  const file = join(projectRoot, "examples/claude-desktop-config.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as Configuration;
  const env = {
    PATH: process.env["PATH"] ?? "",
    AGENTOS_MCP_HOME: home.directory,
    npm_config_offline: "true",
  };
  return { ...mcpServers.agentos, cwd: projectRoot, env, stderr: "ignore" };
}

describe.each(clientKinds)(
  "the server of Claude Desktop's configuration, for %s",
  (_kind, connect) => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connect(server());
    });
    afterAll(() => client.close());

    it("offers nine tools and the logs of commands", async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "vm_create",
        "vm_list",
        "vm_exec",
        "vm_exec_io",
        "vm_destroy",
        "fs_read",
        "fs_write",
        "code_run",
        "toolkit_search",
      ]);
      expect(tools.filter(({ outputSchema }) => outputSchema === undefined)).toHaveLength(2);
      expect(await client.listTemplates()).toEqual(["vm://{vm_id}/exec/{exec_id}/{stream}"]);
    });

    it("makes a VM, works in it, and destroys it", async () => {
      const created = await client.call("vm_create", { env: { GREETING: "hello" } });
      const { vm_id } = created.structuredContent as { vm_id: string };
      expect(created.structuredContent).toEqual({
        vm_id,
        state: "running",
        is_new: true,
        cwd: "/home/user",
      });

      const written = await client.call("fs_write", { vm_id, path: "data.txt", content: "b\na\n" });
      expect(written.structuredContent).toEqual({ bytes: 4 });
      const command = "echo $GREETING; sort data.txt | tee sorted.txt; ls -1 nowhere";
      const ran = await client.call("vm_exec", { vm_id, command });
      expect(ran.isError ?? false).toBe(false);
      expect(ran.structuredContent).toEqual({
        status: "exited",
        exit_code: 2,
        stdout: "hello\na\nb\n",
        stderr: "ls: cannot access 'nowhere': No such file or directory\n",
        exec_id: "1",
        truncated: false,
      });
      const read = await client.call("fs_read", { vm_id, path: "sorted.txt" });
      expect(read).toMatchObject({ content: [{ type: "text", text: "a\nb\n" }] });
      expect(read.structuredContent).toBeUndefined();

      const { vms } = (await client.call("vm_list", { vm_id })).structuredContent as {
        vms: { execs: unknown[] }[];
      };
      expect(vms[0]).toMatchObject({
        vm_id,
        state: "running",
        restarts: 0,
        execs: [{ exec_id: "1", command, status: "exited", exit_code: 2 }],
      });
      const uri = `vm://${vm_id}/exec/1/stdout`;
      expect(await client.listResources()).toContain(uri);
      expect(await client.readResource(uri)).toEqual([
        { uri, mimeType: "text/plain", text: "hello\na\nb\n" },
      ]);
      await expect(client.readResource(`vm://${vm_id}/exec/9/stdout`)).rejects.toThrow(
        /not found/i,
      );

      const destroyed = await client.call("vm_destroy", { vm_id });
      expect(destroyed.structuredContent).toEqual({ destroyed: true });
      expect((await client.call("vm_exec", { vm_id, command })).content).toEqual([
        {
          type: "text",
          text: `There is no VM named "${vm_id}". Call vm_list to see the VMs, or vm_create to make one.`,
        },
      ]);
    });

    it("goes on with a command that runs", async () => {
      const { vm_id } = (await client.call("vm_create")).structuredContent as { vm_id: string };
      const command = 'while read -r line; do echo "got $line"; done; exit 5';
      const input = { vm_id, command, interactive: true, yield_ms: 0 };
      const started = (await client.call("vm_exec", input)).structuredContent;
      expect(started).toMatchObject({ status: "running", exec_id: "1", stdout: "" });
      const said = await client.call("vm_exec_io", { vm_id, exec_id: "1", stdin: "one\n" });
      expect(said.structuredContent).toMatchObject({ status: "running", stdout: "got one\n" });
      const ended = await client.call("vm_exec_io", { vm_id, exec_id: "1", close_stdin: true });
      expect(ended.structuredContent).toMatchObject({ status: "exited", exit_code: 5, stdout: "" });
      await client.call("vm_destroy", { vm_id });
    });

    it("refuses arguments that make no sense, and says which", async () => {
      const result = await client.call("vm_exec", { vm_id: "x", command: "true", timeout: 5 });
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toContain("timeout");
      const badNumber = await client.call("vm_exec", { vm_id: "x", command: "true", yield_ms: -1 });
      expect(badNumber.content[0]?.text).toContain("give a whole number from 0 to 600000");
    });

    it("tells of progress, and ends a command whose call is cancelled", async () => {
      const { vm_id } = (await client.call("vm_create")).structuredContent as { vm_id: string };
      const abort = new AbortController();
      const seen: { progress: number; message?: string | undefined }[] = [];
      const command = "i=0; while :; do i=$((i+1)); echo step $i; done";
      const call = client.call(
        "vm_exec",
        { vm_id, command },
        {
          signal: abort.signal,
          onprogress: (progress) => {
            seen.push(progress);
            if (seen.length === 3) abort.abort();
          },
        },
      );
      await expect(call).rejects.toThrow();
      const counts = seen.map(({ progress }) => progress);
      expect(counts).toEqual(counts.toSorted((one, other) => one - other));
      expect(new Set(counts).size).toBe(counts.length);
      expect(seen[0]?.message).toMatch(/^step \d+$/);
      const state = async (): Promise<unknown> => {
        const { vms } = (await client.call("vm_list", { vm_id })).structuredContent as {
          vms: { execs: { status: string }[] }[];
        };
        return vms[0]?.execs[0]?.status;
      };
      let last: unknown;
      await eventually("the command has ended", async () => {
        last = await state();
        return last !== "running";
      });
      expect(last).toBe("killed");
      await client.call("vm_destroy", { vm_id });
    });
  },
);
