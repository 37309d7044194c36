// What a client is told when the server that had its VM is gone.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ownVmName } from "../../../src/mcp-server/clients/client-identity.ts";
import { eventually } from "../../support/eventually.ts";
import { type Installation, install } from "../support/installation.ts";
import { RawClient, type RawClientOptions } from "../support/raw-client.ts";
import { runCommand } from "../support/run-command.ts";
import { Terminal } from "../support/terminal.ts";
import { TestHome } from "../support/test-home.ts";

let installation: Installation;
let home: TestHome;
let project: string;
beforeAll(() => {
  installation = install({ hasRealTools: true });
  project = realpathSync(mkdtempSync(join(tmpdir(), "shop-")));
});
afterAll(() => {
  installation.remove();
  rmSync(project, { recursive: true, force: true });
});
beforeEach(() => {
  home = new TestHome();
});
afterEach(() => home.close());

async function open(options: RawClientOptions = {}, name = "raw"): Promise<RawClient> {
  const client = new RawClient(installation, home, { cwd: project, ...options });
  await client.initialize(name);
  return client;
}

const exec = async (client: RawClient, command: string, input = {}): Promise<unknown> => {
  const { result } = await client.call("vm_exec", { command, ...input });
  return result?.["structuredContent"] ?? result;
};
const serverPid = (): number => home.records()[0]?.pid ?? 0;
const stop = (...options: string[]): ReturnType<typeof runCommand> =>
  runCommand(installation, home, ["stop", ...options]);

const own = (): string => ownVmName({ name: "raw", project });
const done = { status: "exited", exit_code: 0, stdout: "", stderr: "", truncated: false };
const gone = (vm: string): string =>
  `The VM "${vm}" is new and empty: the server that had it has ended, and the VM's earlier files and processes are gone.`;

describe("a client's own VM", () => {
  it("is there again when the client comes back", async () => {
    const one = await open();
    await exec(one, "echo kept > note");
    await one.leave();
    const other = await open();
    expect(await exec(other, "cat note")).toEqual({
      ...done,
      stdout: "kept\n",
      exec_id: "2",
      notice: `vm_id defaults to "${own()}", which has the files of earlier calls.`,
    });
    expect(await exec(other, "true")).toEqual({ ...done, exec_id: "3" });
    await other.leave();
  });

  it("belongs to the project that the client names, else to its directory", async () => {
    const env = { CLAUDE_PROJECT_DIR: "/no/longer/here" };
    const [here, there] = [await open(), await open({ env })];
    expect(await exec(here, "hostname")).toMatchObject({ stdout: `${own()}\n` });
    expect(await exec(there, "hostname")).toMatchObject({
      stdout: `${ownVmName({ name: "raw", project: "/no/longer/here" })}\n`,
    });
    await Promise.all([here.leave(), there.leave()]);
  });

  it("belongs to the first root of a client that runs in the root directory", async () => {
    const client = await open({ cwd: "/" });
    const call = client.call("vm_exec", { command: "hostname" });
    const asked = await client.find("roots/list", ({ method }) => method === "roots/list");
    const roots = [{ uri: "file:///work/shop" }, { uri: "file:///work/other" }];
    client.send({ id: asked.id, result: { roots } });
    const vm = ownVmName({ name: "raw", project: "file:///work/shop" });
    expect((await call).result).toMatchObject({ structuredContent: { stdout: `${vm}\n` } });
    expect(await exec(client, "hostname")).toMatchObject({ stdout: `${vm}\n` });
    await client.leave();
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "is said to be new after %s of the server",
    async (signal) => {
      const client = await open();
      await exec(client, "echo kept > note");
      const pid = serverPid();
      process.kill(pid, signal);
      await eventually("the server is gone", () => !home.pids().includes(pid));
      const notice = `vm_id defaults to "${own()}", a new VM. ${gone(own())}`;
      // The shim may not have seen yet that the server is gone: then it says so itself.
      const { result, error } = await client.call("vm_exec", { command: "ls" });
      if (error === undefined)
        expect(result?.["structuredContent"]).toEqual({ ...done, exec_id: "1", notice });
      else {
        expect(error.message).toContain("Its VMs and all that was in them are lost.");
        expect(await exec(client, "ls")).toEqual({ ...done, exec_id: "1", notice });
      }
      expect(await exec(client, "ls")).toEqual({ ...done, exec_id: "2" });
      await client.leave();
    },
  );
});

describe("a client's own VM that nobody uses", () => {
  it("ends after the idle time, though the server stays, and is said to be new", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const staying = await open({}, "other");
    const client = await open();
    await exec(client, "echo kept > note");
    await client.leave();
    await eventually("the VM has ended", async () => {
      const { stdout } = await runCommand(installation, home, ["vms"]);
      return !stdout.includes(own());
    });
    const back = await open();
    expect(await exec(back, "ls")).toMatchObject({
      stdout: "",
      notice: `vm_id defaults to "${own()}", a new VM. The VM "${own()}" is new and empty: nobody used it for a while, and the VM's earlier files and processes are gone.`,
    });
    await Promise.all([back.leave(), staying.leave()]);
  });
});

describe("a VM with a name", () => {
  it("is gone with its server, which is said until it is made again", async () => {
    const client = await open();
    await client.call("vm_create", { name: "desk" });
    await client.call("vm_create", { name: "done" });
    await client.call("vm_destroy", { vm_id: "done" });
    expect(await stop("--yes")).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Stopped the server \d+ \(build .+\)\.\n$/),
      stderr: "",
    });
    expect(await client.callText("vm_exec", { vm_id: "desk", command: "ls" })).toBe(
      'The VM "desk" is gone, with its files and processes: the server that had it has ended. Create it again with vm_create.',
    );
    expect(await client.callText("vm_exec", { vm_id: "done", command: "ls" })).toBe(
      'There is no VM named "done". Call vm_list to see the VMs, or vm_create to make one.',
    );
    const again = await runCommand(installation, home, ["exec", "--vm", "desk", "--", "echo hi"]);
    const stderr = `agentos-mcp: Created the VM "desk".\nagentos-mcp: ${gone("desk")}\n`;
    expect(again).toEqual({ status: 0, stdout: "hi\n", stderr });
    await client.leave();
  });
});

describe("agentos-mcp stop", () => {
  it("says what is lost where nobody can be asked", async () => {
    const client = await open();
    await exec(client, "true");
    const pid = serverPid();
    expect(await stop()).toEqual({
      status: 0,
      stdout: expect.stringContaining(`Stopped the server ${pid}`),
      stderr: `agentos-mcp: This ends the VM ${own()}, with all files and processes.\n`,
    });
    await client.leave();
  });

  it("asks nothing where there is no VM", async () => {
    const client = await open();
    expect(await stop()).toMatchObject({ status: 0, stderr: "" });
    expect(await stop()).toEqual({ status: 0, stdout: "No server is running.\n", stderr: "" });
    await client.leave();
  });

  it("asks the person at a terminal", async () => {
    const client = await open();
    await exec(client, "true");
    const pid = serverPid();
    const command = {
      command: "",
      args: [],
      cwd: project,
      env: home.env as Record<string, string>,
    };
    const script = `'${process.execPath}' '${installation.binFile}' stop; echo status $?`;
    const ask = async (answer: string, reply: string): Promise<void> => {
      const terminal = new Terminal(command, script);
      await terminal.shows(`This ends the VM ${own()}, with all files and processes. Stop? [y/N]`);
      terminal.type(answer);
      await terminal.shows(reply);
      await terminal.end();
    };
    await ask("\r", "Nothing was stopped.\r\nstatus 1");
    await ask("\u0003", "Nothing was stopped.\r\nstatus 1");
    expect(serverPid()).toBe(pid);
    await ask("y\r", `Stopped the server ${pid}`);
    await eventually("the server is gone", () => !home.pids().includes(pid));
    await client.leave();
  });
});

describe("a server", () => {
  it("stays while a job runs in the background, and leaves with it", async () => {
    await home.close();
    home = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const client = await open();
    await exec(client, "mkfifo end; cat end >/dev/null 2>&1 & echo started");
    const pid = serverPid();
    await client.leave();
    // A server of another home, as idle but for the job, is the clock.
    const clock = new TestHome({ AGENTOS_MCP_IDLE_MS: "300" });
    const visitor = new RawClient(installation, clock);
    await visitor.initialize();
    await visitor.leave();
    await eventually("the idle server has left", () => clock.pids().length === 0);
    await clock.close();
    expect(home.pids()).toEqual([pid]);
    const back = await open();
    expect(await exec(back, "echo > end")).toMatchObject({ exit_code: 0 });
    await back.leave();
    await eventually("the server has left", () => home.pids().length === 0);
  });
});
