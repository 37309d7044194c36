// The real agent over a carrier that loses what comes faster than it passes on: no more is under way than was told.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { Duplex, type Readable, type Writable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { findAgentBinary } from "../../../src/sandbox-escalation/agent/agent-binary.ts";
import { AgentLink } from "../../../src/sandbox-escalation/agent/agent-link.ts";
import { notLinux, unless } from "../../support/unless.ts";

const WINDOW = 16_384;
const ENVIRONMENT = { PATH: "/usr/bin:/bin" };

const children: ChildProcessByStdio<Writable, Readable, null>[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Hands on a part every few milliseconds, and knows how much it held at most. */
function openSlowLink(windowBytes: number | undefined) {
  const child = spawn(findAgentBinary(), ["serve", "-", "-", "-", "pipes"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const held: Buffer[] = [];
  let mostBytes = 0;
  const carrier = new Duplex({
    read: () => undefined,
    write: (bytes: Uint8Array, _encoding, done) => void child.stdin.write(bytes, () => done()),
  });
  child.stdout.on("data", (bytes: Buffer) => {
    held.push(bytes);
    mostBytes = Math.max(
      mostBytes,
      held.reduce((sum, part) => sum + part.length, 0),
    );
  });
  const timer = setInterval(() => carrier.push(held.shift() ?? Buffer.alloc(0)), 2);
  child.on("exit", () => clearInterval(timer));
  const link = new AgentLink(carrier, {
    completeEnd: async (end) => end,
    onConnection: (channel) => channel.endInput(),
    windowBytes,
  });
  return { link, mostBytes: () => mostBytes };
}

async function flood(link: AgentLink): Promise<number> {
  const head = await link.spawn(["head", "-c", "60000", "/dev/zero"], {
    cwd: "/",
    env: ENVIRONMENT,
  });
  let count = 0;
  for await (const chunk of head.output) count += chunk.length;
  expect(await head.ended).toEqual({ status: 0 });
  return count;
}

describe("a link with a window", unless(notLinux), () => {
  it("has no more output under way than that, whoever says how much", async () => {
    const { link, mostBytes } = openSlowLink(WINDOW);
    await link.ready;
    const counts = await Promise.all(Array.from({ length: 6 }, () => flood(link)));
    expect(counts).toEqual(Array.from({ length: 6 }, () => 60_000));
    // What is no output (started, exited…) comes on top.
    expect(mostBytes()).toBeLessThan(WINDOW + 1024);
    link.close();
  });

  it("is as wide as its streams without one", async () => {
    const { link, mostBytes } = openSlowLink(undefined);
    await link.ready;
    await Promise.all(Array.from({ length: 6 }, () => flood(link)));
    expect(mostBytes()).toBeGreaterThan(WINDOW);
    link.close();
  });

  it("goes on where many wait for a word each", async () => {
    const { link } = openSlowLink(1024);
    await link.ready;
    const words = Array.from({ length: 40 }, async (_, n) => {
      const echo = await link.spawn(["echo", String(n)], { cwd: "/", env: ENVIRONMENT });
      const chunks: Uint8Array[] = [];
      for await (const chunk of echo.output) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    });
    expect(await Promise.all(words)).toEqual(Array.from({ length: 40 }, (_, n) => `${n}\n`));
    link.close();
  });
});
