import { describe, expect, it, onTestFinished, vi } from "vitest";
import { KernelError } from "../../../src/kernel/index.ts";
import { encodeNumbers, fromAgent } from "../../../src/sandbox-escalation/agent/agent-frames.ts";
import { AgentProcess } from "../../../src/sandbox-escalation/agent/agent-process.ts";
import { drainOutput } from "../../../src/sandbox-escalation/controller/drain-output.ts";
import type { ProcessEnd, SandboxProcess } from "../../../src/sandbox-escalation/provider.ts";
import { Escalation, request } from "../../support/escalation.ts";

async function start(...argv: string[]): Promise<SandboxProcess> {
  return (await new Escalation().controller().spawn(argv, { env: {} }, request())).process;
}

async function textOf(
  process: SandboxProcess,
): Promise<{ end: ProcessEnd; out: string; error: string }> {
  let [out, error] = ["", ""];
  const end = await drainOutput(process, {
    out: (bytes) => void (out += new TextDecoder().decode(bytes)),
    error: (bytes) => void (error += new TextDecoder().decode(bytes)),
  });
  return { end, out, error };
}

describe("the output of a process", () => {
  it("is taken to its end, both streams of it", async () => {
    const process = await start("sh", "-c", "echo out; echo error >&2; exit 3");
    expect(await textOf(process)).toEqual({ end: { status: 3 }, out: "out\n", error: "error\n" });
  });

  it("is not waited for where what the process left running holds it", async () => {
    const process = await start("sh", "-c", "echo begun; sleep 600 & exit 0");
    expect(await textOf(process)).toMatchObject({ end: { status: 0 }, out: "begun\n" });
    await process.kill("SIGKILL");
  });

  it("is all taken before the end is told, however slowly it is taken", async () => {
    const process = await start("sh", "-c", "head -c 3000000 /dev/zero");
    let size = 0;
    await drainOutput(process, {
      out: async (bytes) => {
        size += bytes.length;
        await new Promise((resolve) => setImmediate(resolve));
      },
      error: () => undefined,
    });
    expect(size).toBe(3_000_000);
  });

  it("is waited for where it is known to come, however late a busy server hears of it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const process = new AgentProcess(
      () => undefined,
      async (end) => end,
    );
    process.take(fromAgent.started, encodeNumbers(7));
    process.take(fromAgent.output, Buffer.from("so "));
    process.take(fromAgent.exited, encodeNumbers(0, 8, 0));
    const taking = textOf(process);
    await vi.advanceTimersByTimeAsync(5000);
    process.take(fromAgent.output, Buffer.from("far so "));
    await vi.advanceTimersByTimeAsync(5000);
    process.take(fromAgent.output, Buffer.from("!"));
    // What comes now is of what was left running, and may come for ever.
    await vi.advanceTimersByTimeAsync(1000);
    expect(await taking).toEqual({ end: { status: 0 }, out: "so far so !", error: "" });
  });

  it("is given up where what is known to come does not", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const process = new AgentProcess(
      () => undefined,
      async (end) => end,
    );
    process.take(fromAgent.started, encodeNumbers(7));
    process.take(fromAgent.exited, encodeNumbers(256, 8, 8));
    const taking = textOf(process);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await taking).toEqual({ end: { status: 1 }, out: "", error: "" });
  });

  it("fails with what its taker fails with", async () => {
    const process = await start("yes");
    const taking = drainOutput(process, {
      out: () => Promise.reject(new KernelError("EPIPE")),
      error: () => undefined,
    });
    await expect(taking).rejects.toMatchObject({ errno: "EPIPE" });
    await process.kill("SIGKILL");
  });
});
