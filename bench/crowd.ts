// Many MCP clients at once, each a shim of its own that makes its calls one after the other: how many of them fail,
// and how long they take, in one VM and in many.
// `node scripts/pinned.mjs bench/crowd.ts [clients] [calls of each] [VMs of the second row]`
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import { McpClient, ownBinFile, stopServers } from "./mcp-client.ts";

const [, , clientsGiven = "200", callsGiven = "10", vmsGiven = "50"] = process.argv;
const clientCount = Number(clientsGiven);
const callCount = Number(callsGiven);
const vmCount = Number(vmsGiven);
/** Nearest rank. */
const quantile = (values: readonly number[], part: number): number =>
  Float64Array.from(values).sort()[Math.ceil(values.length * part) - 1] ?? Number.NaN;
/** Shims that start at one time: what is measured are the calls, not the starts. */
const STARTING = 8;

interface Outcome {
  readonly times: readonly number[];
  readonly errors: readonly string[];
}

await ensureDist();
const home = mkdtempSync(join(tmpdir(), "agentos-bench-crowd-"));
const clients: McpClient[] = [];
try {
  while (clients.length < clientCount) {
    const started = Array.from({ length: Math.min(STARTING, clientCount - clients.length) }, () => {
      const client = new McpClient(ownBinFile, home);
      clients.push(client);
      return client.initialize();
    });
    await Promise.all(started);
  }
  console.log(
    `${clientCount} clients, ${callCount} calls of \`echo\` each, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log("| VMs | calls | errors | p50 | p99 | p99 / p50 |\n|--:|--:|--:|--:|--:|--:|");
  for (const count of [1, vmCount]) report(count, await crowd(count));
} finally {
  await Promise.all(clients.map((client) => client.close()));
  await stopServers(ownBinFile, home);
  rmSync(home, { recursive: true, force: true });
}

/** All clients at once, spread over so many VMs. */
async function crowd(vms: number): Promise<Outcome> {
  const names = Array.from({ length: vms }, (_, n) => `crowd-${vms}-${n}`);
  for (const name of names) await clients[0]?.callTool("vm_create", { name });
  const outcomes = await Promise.all(
    clients.map((client, n) => callInTurn(client, names[n % names.length] ?? "", n)),
  );
  return {
    times: outcomes.flatMap(({ times }) => times),
    errors: outcomes.flatMap(({ errors }) => errors),
  };
}

async function callInTurn(client: McpClient, vm_id: string, n: number): Promise<Outcome> {
  const times: number[] = [];
  const errors: string[] = [];
  for (let call = 0; call < callCount; call++) {
    const word = `${n}-${call}`;
    const startMs = performance.now();
    try {
      const { result } = await client.callTool("vm_exec", { vm_id, command: `echo ${word}` });
      const stdout = result?.structuredContent?.["stdout"];
      if (stdout !== `${word}\n`) errors.push(`answered ${JSON.stringify(stdout)}`);
    } catch (error) {
      errors.push(String(error));
    }
    times.push(performance.now() - startMs);
  }
  return { times, errors };
}

function report(vms: number, { times, errors }: Outcome): void {
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  const figures = `${p50.toFixed(0)} ms | ${p99.toFixed(0)} ms | ${(p99 / p50).toFixed(1)}`;
  console.log(`| ${vms} | ${times.length} | ${errors.length} | ${figures} |`);
  for (const error of new Set(errors)) console.error(`  ${error}`);
}
