import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient } from "../support/raw-client.ts";
import { isRunning, TestHome } from "../support/test-home.ts";

let installation: Installation;
let home: TestHome;
beforeAll(() => {
  installation = install();
});
afterAll(() => installation.remove());
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

async function open(): Promise<RawClient> {
  const client = new RawClient(installation, home);
  await client.initialize();
  return client;
}

describe("the VMs of a server", () => {
  it("are shared by its clients, and outlive the client that made them", async () => {
    const one = await open();
    expect(
      await one.callText("test_vm", { name: "shared", command: "echo kept > note; echo made" }),
    ).toBe("made\n");
    await one.leave();
    const other = await open();
    expect(await other.callText("test_vm", { name: "shared", command: "cat note" })).toBe("kept\n");
    await other.leave();
  });

  it("leave no cell behind when the server is killed, and the client goes on with new ones", async () => {
    const client = await open();
    await client.callText("test_vm", { name: "one", command: "echo here" });
    const cells = home.cellPids();
    expect(cells.length).toBeGreaterThan(0);
    await client.call("test_kill_server");
    await eventually("the cells are gone", () => !cells.some(isRunning));
    expect(await client.callText("test_vm", { name: "one", command: "cat note; echo new" })).toBe(
      "new\n",
    );
    await client.leave();
  });

  it("leave no cell behind when the server is stopped", async () => {
    const client = await open();
    await client.callText("test_vm", { name: "one", command: "echo here" });
    const cells = home.cellPids();
    process.kill(home.records()[0]?.pid ?? 0, "SIGTERM");
    await eventually(
      "the server and its cells are gone",
      () => home.records().length === 0 && !cells.some(isRunning),
    );
    await client.leave();
  });

  it("keep an unused server from leaving while a command runs", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const client = await open();
    await client.callText("test_vm_start", { name: "busy", command: "cat" });
    const [record] = home.records();
    await client.leave();
    // A server of another home, as idle but for the command, is the clock.
    const clock = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const visitor = new RawClient(installation, clock);
    await visitor.initialize();
    await visitor.leave();
    await eventually("the idle server has left", () => clock.pids().length === 0);
    await clock.close();
    expect(home.pids()).toEqual([record?.pid]);
  });
});
