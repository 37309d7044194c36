import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";

let server: InstalledServer;
beforeAll(async () => {
  server = await InstalledServer.install();
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
      stderr: 'agentos-mcp: There is no VM named "x".\n',
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
      stderr:
        'agentos-mcp: There is no VM named "two". Call vm_list to see the VMs, or vm_create to make one.\n',
    });
    expect(await vms()).toMatchObject({ stdout: "There are no VMs.\n" });
  });

  it("says how it is used", async () => {
    expect(await vms("remove", "one")).toEqual({
      status: 2,
      stdout: "",
      stderr: "agentos-mcp: Use agentos-mcp vms, or agentos-mcp vms destroy NAME...\n",
    });
  });
});
