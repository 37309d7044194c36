// A client that sends what it likes to a server as it ships, while another one works.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { Chance, mutate, mutateBytes } from "../../test/fuzz/chance.ts";
import { readCorpus } from "../../test/fuzz/fuzz-once.ts";
import { McpClient, ownBinFile } from "../mcp-client.ts";
import { summarize } from "../statistics.ts";

export async function floodWithMessages(home: string, messages: number): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const neighbour = new McpClient(ownBinFile, home);
  await neighbour.initialize();
  const echo = async (): Promise<number> => {
    const start = performance.now();
    await neighbour.callTool("vm_exec", { command: "echo hi" });
    return performance.now() - start;
  };
  for (let i = 0; i < 50; i++) await echo();
  const idle: number[] = [];
  for (let i = 0; i < 300; i++) idle.push(await echo());
  const pid = serverOf(home);
  let isOver = false;
  let mostMb = 0;
  const flooded = flood(home, messages).finally(() => {
    isOver = true;
  });
  const during: number[] = [];
  while (!isOver || during.length < 100) {
    during.push(await echo());
    mostMb = Math.max(mostMb, residentMegabytes(pid));
  }
  const answers = await flooded;
  const [before, then] = [summarize(idle), summarize(during)];
  if (before === undefined || then === undefined) throw new Error("nothing was measured");
  console.log(`\n${messages} hostile messages of one client: ${answers} answers, server ${pid}`);
  console.log(`- the server is ${serverOf(home) === pid ? "the same" : "ANOTHER ONE"}`);
  console.log(`- the server's memory: ${mostMb.toFixed(0)} MB at most`);
  console.log(
    `- vm_exec of a neighbour: idle ${before.median.toFixed(1)} (${before.p95.toFixed(1)}) ms, meanwhile ${then.median.toFixed(1)} (${then.p95.toFixed(1)}) ms, p95 × ${(then.p95 / before.p95).toFixed(1)}`,
  );
  await neighbour.close();
}

/** Sends all of them through a shim of its own; answers how many lines came back. */
async function flood(home: string, messages: number): Promise<number> {
  const chance = new Chance(14);
  const { lines } = readCorpus<{ readonly lines: readonly string[] }>("readers.json");
  const shim = spawn(process.execPath, [ownBinFile], {
    env: { ...process.env, AGENTOS_MCP_HOME: home },
    stdio: ["pipe", "pipe", "ignore"],
  });
  shim.stdin.on("error", () => undefined);
  let answers = 0;
  shim.stdout.on("data", (chunk: Buffer) => {
    answers += chunk.toString("latin1").split("\n").length - 1;
  });
  for (let sent = 0; sent < messages && shim.exitCode === null; sent++) {
    const line = hostileLine(chance.pick(lines), chance);
    if (
      !shim.stdin.write(`${line}
`)
    )
      await untilDrained(shim.stdin);
  }
  shim.stdin.end();
  if (shim.exitCode === null) await once(shim, "close");
  return answers;
}

/** Or gone. */
async function untilDrained(stream: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("close", done);
  });
}

function hostileLine(line: string, chance: Chance): string {
  if (chance.oneIn(4))
    return Buffer.from(mutateBytes(Buffer.from(line), chance)).toString("latin1");
  const value: unknown = JSON.parse(line);
  return JSON.stringify(mutate(mutate(value, chance), chance)) ?? "";
}

function serverOf(home: string): number {
  const name = readdirSync(home).find((file) => /^server-.+\.json$/.test(file));
  if (name === undefined) throw new Error("no server");
  return JSON.parse(readFileSync(join(home, name), "utf8")).pid;
}

function residentMegabytes(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0) / 1000;
}
