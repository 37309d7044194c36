import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";

let server: InstalledServer;
beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());

async function vms(
  ...args: string[]
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const output = await server.run(["vms", ...args]);
  return { ...output, stdout: output.stdout.toString() };
}

describe("agentos-mcp vms", () => {
  it("starts no server to say that there are no VMs", async () => {
    expect(await vms()).toEqual({ status: 0, stdout: "There are no VMs.\n", stderr: "" });
    expect(await vms("--json")).toMatchObject({ stdout: "[]\n" });
    expect(await vms("destroy", "x")).toEqual({
      status: 1,
      stdout: "",
      stderr: 'agentos-mcp: There is no VM named "x". agentos-mcp vms lists them.\n',
    });
    expect(server.home.records()).toEqual([]);
  });

  it("lists VMs and destroys them", async () => {
    await server.run(["exec", "--vm", "one", "--", "true"]);
    const { stdout } = await vms();
    expect(stdout).toMatch(
      /^NAME {2}STATE {4}RUNNING {2}MEMORY +RESTARTS {2}CREATED\none {3}running {2}0 {8}\d+ MiB +0 {9}\d{4}-\S+Z\n$/,
    );
    const [one] = JSON.parse((await vms("--json")).stdout) as object[];
    expect(one).toEqual({
      name: "one",
      state: "running",
      runningCommands: 0,
      memoryBytes: expect.any(Number),
      restarts: 0,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await vms("destroy", "one", "two")).toEqual({
      status: 1,
      stdout: 'Destroyed the VM "one".\n',
      stderr: 'agentos-mcp: There is no VM named "two". agentos-mcp vms lists them.\n',
    });
    expect(await vms()).toMatchObject({ stdout: "There are no VMs.\n" });
  });

  it("says that a server of another build has VMs of its own", async () => {
    const { directory } = server.home;
    const socket = join(directory, "other.sock");
    const listener = createServer((peer) => peer.destroy()).listen(socket);
    await once(listener, "listening");
    const record = { build: "other", pid: 4_000_001, socket, key: "key" };
    writeFileSync(join(directory, "server-other.json"), JSON.stringify(record));
    try {
      expect(await vms()).toEqual({
        status: 0,
        stdout: "There are no VMs.\n",
        stderr:
          "agentos-mcp: A server of another build is running, too (pid 4000001, build other); its VMs are not shown here. agentos-mcp stop ends all servers.\n",
      });
    } finally {
      listener.close();
      rmSync(join(directory, "server-other.json"));
    }
    expect(await vms()).toMatchObject({ stderr: "" });
  });

  it("says how it is used", async () => {
    expect(await vms("remove", "one")).toEqual({
      status: 2,
      stdout: "",
      stderr: "agentos-mcp: Use agentos-mcp vms, or agentos-mcp vms destroy NAME...\n",
    });
  });
});
