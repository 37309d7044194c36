// What the shim costs: processor time of its process for calls through it, and the time they take.
// `node scripts/pinned.mjs bench/shim.ts [rounds] [another checkout to compare with]`
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import { McpClient, ownBinFile, stopServers } from "./mcp-client.ts";
import { summarize } from "./statistics.ts";

interface Step {
  readonly title: string;
  readonly run: (client: McpClient) => Promise<void>;
}

const text = "x".repeat(79).concat("\n").repeat(12_500);
const steps: readonly Step[] = [
  {
    title: "1,000 calls of fs_read of a line",
    run: async (client) => {
      for (let i = 0; i < 1000; i++)
        await client.callTool("fs_read", { vm_id: "bench", path: "/home/user/line" });
    },
  },
  {
    title: "100 results of 1 MB",
    run: async (client) => {
      for (let i = 0; i < 100; i++)
        await client.request("resources/read", { uri: "vm://bench/exec/1/stdout" });
    },
  },
  {
    title: "100 arguments of 1 MB",
    run: async (client) => {
      for (let i = 0; i < 100; i++)
        await client.callTool("fs_write", { vm_id: "bench", path: "/tmp/text", content: text });
    },
  },
];

interface Cost {
  readonly processorMs: number;
  readonly passedMs: number;
}

const [, , rounds = "10", other] = process.argv;
const binFiles = [
  ownBinFile,
  ...(other === undefined ? [] : [resolve(other, "bin/agentos-mcp.mjs")]),
];
await ensureDist();
const sides = await Promise.all(binFiles.map(openSide));
try {
  for (let round = 0; round < Number(rounds); round++)
    for (const side of sides) await runRound(side);
} finally {
  for (const { binFile, client, home } of sides) {
    await client.close();
    await stopServers(binFile, home);
    rmSync(home, { recursive: true, force: true });
  }
}
console.log(`${rounds} rounds, median (p95) in ms, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| | checkout | shim's processor time | time |\n|---|---|--:|--:|");
for (const [n, { title }] of steps.entries()) {
  for (const { binFile, costs } of sides) {
    const own = costs[n] ?? [];
    const processor = describe(own.map(({ processorMs }) => processorMs));
    const passed = describe(own.map(({ passedMs }) => passedMs));
    console.log(`| ${title} | ${binFile} | ${processor} | ${passed} |`);
  }
}

interface Side {
  readonly binFile: string;
  readonly client: McpClient;
  readonly home: string;
  readonly costs: readonly Cost[][];
}

/** A shim with a server and a VM of its own. */
async function openSide(binFile: string): Promise<Side> {
  const home = mkdtempSync(join(tmpdir(), "agentos-bench-shim-"));
  const client = new McpClient(binFile, home);
  await client.initialize();
  await client.callTool("vm_create", { name: "bench" });
  const command = "echo line >line; yes 0123456789abcdef | head -c 1000000";
  await client.callTool("vm_exec", { vm_id: "bench", command });
  return { binFile, client, home, costs: steps.map(() => []) };
}

async function runRound({ client, costs }: Side): Promise<void> {
  for (const [n, { run }] of steps.entries()) costs[n]?.push(await measure(client, run));
}

async function measure(client: McpClient, run: Step["run"]): Promise<Cost> {
  const [processorBefore, startMs] = [processorTimeMs(client.pid), performance.now()];
  await run(client);
  return {
    processorMs: processorTimeMs(client.pid) - processorBefore,
    passedMs: performance.now() - startMs,
  };
}

/** Of all threads, see Documentation/scheduler/sched-stats.rst. */
function processorTimeMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const times = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ")[0]),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e6;
}

function describe(times: readonly number[]): string {
  const summary = summarize(times);
  return `${summary?.median.toFixed(1)} (${summary?.p95.toFixed(1)})`;
}
