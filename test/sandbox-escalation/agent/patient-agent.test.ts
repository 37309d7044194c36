// The real agent where its link cannot tell that the host is gone: it ends by itself, and all it started.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Duplex } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { findAgentBinary } from "../../../src/sandbox-escalation/agent/agent-binary.ts";
import { AgentLink } from "../../../src/sandbox-escalation/agent/agent-link.ts";
import { notLinux, unless } from "../../support/unless.ts";

const agents: ReturnType<typeof start>[] = [];

function start(seconds: string, beatMs: number | undefined) {
  const child = spawn(findAgentBinary(), ["serve", "-", "-", "-", "socket", seconds], {
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  const socket = child.stdio[3];
  if (!(socket instanceof Duplex)) throw new Error("there is no socket to the agent");
  const link = new AgentLink(socket, {
    completeEnd: async (end) => end,
    onConnection: (channel) => channel.endInput(),
    beatMs,
  });
  return { child, link, exited: once(child, "exit") };
}

function open(seconds: string, beatMs?: number) {
  const agent = start(seconds, beatMs);
  agents.push(agent);
  return agent;
}

afterEach(() => {
  for (const { child, link } of agents.splice(0)) {
    link.close();
    child.kill("SIGKILL");
  }
});

function isAlive(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    // ESRCH: that is the answer.
    return false;
  }
}

describe("an agent that waits for its host", unless(notLinux), () => {
  it("ends after the silence it was told, with all it started", async () => {
    const { link, exited } = open("1");
    const sleeper = await link.spawn(["sleep", "300"], { cwd: "/", env: {} });
    expect(isAlive(sleeper.id)).toBe(true);
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => isAlive(sleeper.id)).toBe(false);
  });

  it("stays while it is told that the host is there", async () => {
    // A busy host is late, but not by seconds.
    const { link, child } = open("4", 100);
    const sleeper = await link.spawn(["sleep", "6"], { cwd: "/", env: {} });
    expect(await sleeper.ended).toEqual({ status: 0 });
    expect(child.exitCode).toBe(null);
  });

  it("ends by SIGTERM, with what has left its session and its parent", async () => {
    const { link, child, exited } = open("60");
    const line = "(setsid sh -c 'echo $$; exec sleep 300' &); sleep 300";
    const parent = await link.spawn(["sh", "-c", line], { cwd: "/", env: {} });
    const { value } = await parent.output[Symbol.asyncIterator]().next();
    const lost = Buffer.from(value ?? []).toString();
    expect(isAlive(lost)).toBe(true);
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => [isAlive(lost), isAlive(parent.id)]).toEqual([false, false]);
  });
});
