import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { findProcess } from "../support/processes.ts";
import { InstalledServer } from "./installed-server.ts";
import { connectModern, type McpClient } from "./mcp-clients.ts";

let server: InstalledServer;
let hostile: McpClient;
let peaceful: McpClient;

beforeAll(async () => {
  server = InstalledServer.install();
  hostile = await connectModern(server.command);
  peaceful = await connectModern(server.command);
  await peaceful.call("vm_create", { name: "peaceful" });
});
afterAll(async () => {
  await hostile.close();
  await peaceful.close();
  await server.remove();
});

const echoes = 25;

/** The second VM and the server answer, again and again, while something else goes on. */
async function expectPeace(): Promise<void> {
  for (let at = 0; at < echoes; at++) {
    const { structuredContent } = await peaceful.call("vm_exec", {
      vm_id: "peaceful",
      command: `echo ${at}`,
    });
    expect(structuredContent).toMatchObject({ status: "exited", stdout: `${at}\n`, stderr: "" });
    const { vms } = (await peaceful.call("vm_list")).structuredContent as {
      vms: { vm_id: string; restarts: number }[];
    };
    expect(vms.find(({ vm_id }) => vm_id === "peaceful")?.restarts).toBe(0);
  }
}

interface Outcome {
  readonly status: string;
  readonly exit_code?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly exec_id: string;
}

/** Starts a command in a VM of its own, in the background. */
async function attack(command: string): Promise<{ vm_id: string; exec_id: string }> {
  const { vm_id } = (await hostile.call("vm_create")).structuredContent as { vm_id: string };
  const input = { vm_id, command, yield_ms: 0 };
  const { exec_id } = (await hostile.call("vm_exec", input))
    .structuredContent as unknown as Outcome;
  return { vm_id, exec_id };
}

/** Waits for the end of an attack. */
async function outcome(target: { vm_id: string; exec_id: string }): Promise<Outcome> {
  const { structuredContent, content } = await hostile.call("vm_exec_io", {
    ...target,
    yield_ms: 60_000,
  });
  if (structuredContent === undefined) throw new Error(content[0]?.text);
  return structuredContent as unknown as Outcome;
}

const destroy = async (vm_id: string): Promise<void> => {
  expect((await hostile.call("vm_destroy", { vm_id })).structuredContent).toEqual({
    destroyed: true,
  });
};

describe("the server and a second VM hold against", () => {
  it("a fork bomb", async () => {
    const target = await attack(":(){ :|:& };:");
    await expectPeace();
    const log = { vm_id: target.vm_id, path: `vm://${target.vm_id}/exec/${target.exec_id}/stderr` };
    // The bomb goes off in the background, and says so when it can.
    await eventually("the limit is met", async () => {
      const text = (await hostile.call("fs_read", log)).content[0]?.text ?? "";
      return /\(limit max(Pipes|Processes) is \d+; /.test(text);
    });
    await destroy(target.vm_id);
  });

  it("a flood of output", async () => {
    const target = await attack("yes");
    await expectPeace();
    const input = { ...target, signal: "KILL" };
    const { structuredContent } = await hostile.call("vm_exec_io", input);
    expect(structuredContent).toMatchObject({ status: "killed", truncated: true });
    await destroy(target.vm_id);
    expect(server.peakMemoryBytes()).toBeLessThan(300_000_000);
  });

  it("a file of 2 GB", async () => {
    const target = await attack("head -c 2G /dev/zero > f; echo $?; wc -c < f");
    await expectPeace();
    const { status, stdout, stderr } = await outcome(target);
    expect(status).toBe("exited");
    expect(stderr).toContain("No space left on device");
    const [code, size] = stdout.split("\n");
    expect(code).toBe("1");
    expect(Number(size)).toBeLessThanOrEqual(64 * 1024 * 1024);
    await destroy(target.vm_id);
  });

  it("10,000 open fds", async () => {
    const target = await attack(
      'i=3; while [ $i -lt 10003 ]; do eval "exec $i</dev/null" || break; i=$((i+1)); done; echo $i',
    );
    await expectPeace();
    const { stdout, stderr } = await outcome(target);
    expect(stderr).toContain("Too many open files");
    expect(Number(stdout === "" ? "0" : stdout)).toBeLessThan(10_003);
    await destroy(target.vm_id);
  });

  it("an endless loop", async () => {
    const target = await attack("while :; do :; done");
    await expectPeace();
    const { structuredContent } = await hostile.call("vm_exec_io", { ...target, signal: "KILL" });
    expect(structuredContent).toMatchObject({ status: "killed" });
    await destroy(target.vm_id);
  });

  it("a killed cell", async () => {
    const before = server.home.cellPids();
    const target = await attack("while :; do :; done");
    // The cell that works is the one that was there before and is not the peaceful one: kill it by
    // what it does, which no other cell does.
    const busy = await busiest(before);
    process.kill(busy, "SIGKILL");
    await expectPeace();
    const { isError, content } = await hostile.call("vm_exec_io", { ...target, yield_ms: 60_000 });
    expect([isError, content[0]?.text]).toEqual([
      true,
      expect.stringMatching(/^The VM ".*" stopped: .* Call again\. The VM starts/),
    ]);
    await destroy(target.vm_id);
  });
});

/** The process that has used most processor time since it was looked at first. */
async function busiest(pids: readonly number[]): Promise<number> {
  const start = new Map(pids.map((pid) => [pid, ticksOf(pid)]));
  let found: number | undefined;
  await eventually("a cell works", () => {
    found = pids.find((pid) => ticksOf(pid) - (start.get(pid) ?? 0) > 20);
    return found !== undefined;
  });
  return found ?? 0;
}

function ticksOf(pid: number): number {
  return findProcess(pid)?.ticks ?? 0;
}
