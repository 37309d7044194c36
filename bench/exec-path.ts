// Where the time of a warm command goes: the same command through one more layer at a time, from the
// kernel alone to an MCP client. What a layer adds is its median less the one's below it.
// `node scripts/pinned.mjs bench/exec-path.ts [rounds] [command]`
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as PoolModule from "../src/vm/broker/cell-pool.ts";
import type * as BootModule from "../src/vm/cell/boot-machine.ts";
import type * as CellModule from "../src/vm/cell/cell.ts";
import type * as CellWireModule from "../src/vm/cell/cell-wire.ts";
import type * as Library from "../src/vm/index.ts";
import type { FromCell } from "../src/vm/wire/from-cell.ts";
import type { ToCell } from "../src/vm/wire/messages.ts";
import { McpClient, ownBinFile, stopServers } from "./mcp-client.ts";
import { type Summary, summarize } from "./statistics.ts";

const rounds = Number(process.argv[2] ?? 300);
const command = process.argv[3] ?? "echo hi";
const WARM_UP_ROUNDS = 50;

/** One way to run the command, and the way below it that it adds to. */
interface Layer {
  readonly title: string;
  readonly above?: string;
  readonly run: () => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

await ensureDist();
const layers = [kernelLayer, pingLayer, wireLayer, libraryLayer, mcpPingLayer, mcpLayer];
const summaries = new Map<string, Summary>();
console.log(`\`${command}\`, ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| layer | median ms | p95 ms | adds ms |\n|---|--:|--:|--:|");
for (const open of layers) {
  const layer = await open();
  try {
    const summary = await measure(layer);
    summaries.set(layer.title, summary);
    const below = layer.above === undefined ? undefined : summaries.get(layer.above);
    const adds = below === undefined ? "" : (summary.median - below.median).toFixed(3);
    console.log(
      `| ${layer.title} | ${summary.median.toFixed(3)} | ${summary.p95.toFixed(3)} | ${adds} |`,
    );
  } finally {
    await layer.close();
  }
}

async function measure({ run }: Layer): Promise<Summary> {
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await run();
  const values: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await run();
    values.push(performance.now() - start);
  }
  const summary = summarize(values);
  if (summary === undefined) throw new Error("there were no rounds");
  return summary;
}

/** The cell's own code in this process: kernel, shell and programs, without a wire. */
async function kernelLayer(): Promise<Layer> {
  const { Cell } = await fromDist<typeof CellModule>("vm/cell/cell.js");
  const { makeImage } = await fromDist<typeof BootModule>("vm/cell/boot-machine.js");
  const { promise: booted, resolve: isBooted } = Promise.withResolvers<void>();
  let ended = Promise.withResolvers<void>();
  const { CellWire } = await fromDist<typeof CellWireModule>("vm/cell/cell-wire.js");
  const wire = new CellWire({
    send: (message: FromCell) => {
      if (message.type === "result" && message.id === 1) isBooted();
      if (message.type === "end") ended.resolve();
    },
    sendFirst: () => undefined,
    hasRoom: () => true,
    untilRoom: async () => undefined,
  });
  const cell = new Cell({ image: makeImage(), wire });
  const boot = { hostname: "bench", env: {}, limits: {}, permissions: {} };
  const text = new TextEncoder().encode(command);
  const call = (id: number, method: "boot" | "exec", params: unknown): void => {
    const message: ToCell = { type: "call", id, method, params };
    cell.receive(message, method === "exec" ? text : new Uint8Array(0));
  };
  call(1, "boot", boot);
  await booted;
  let last = 1;
  const run = async (): Promise<void> => {
    ended = Promise.withResolvers<void>();
    last += 1;
    const stream = 2 * last - 1;
    call(last, "exec", { stream, as: "user" });
    cell.receive({ type: "end", stream }, new Uint8Array(0));
    await ended.promise;
  };
  return { title: "kernel, shell and program, in process", run, close: async () => undefined };
}

/** A cell of its own, as a VM has it, asked without the library around it. */
async function openCell() {
  const { CellPool } = await fromDist<typeof PoolModule>("vm/broker/cell-pool.js");
  const entry = fileURLToPath(new URL("../dist/vm/cell/main.cjs", import.meta.url));
  const log = (line: string): void => console.error(line);
  const pool = new CellPool({ entry, size: 0, memoryLimitBytes: 1024 ** 3, log });
  const cell = await pool.take();
  const nothing = (): void => undefined;
  const events = {
    limit: nothing,
    notice: nothing,
    ask: nothing,
    askEnded: nothing,
    watchEvents: nothing,
    log: nothing,
    request: nothing,
  };
  cell.listen(events);
  await cell.call("boot", {
    hostname: "bench",
    env: {},
    limits: {},
    memoryBytes: 1024 ** 3,
    permissions: {},
  });
  return { cell, close: async () => cell.stop().then(() => pool.close()) };
}

async function pingLayer(): Promise<Layer> {
  const { cell, close } = await openCell();
  return { title: "a call over the wire and back", run: () => cell.call("ping", {}), close };
}

async function wireLayer(): Promise<Layer> {
  const { cell, close } = await openCell();
  const text = new TextEncoder().encode(command);
  const run = async (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = cell.streams.open();
    stream.incoming.consume({ take: () => undefined, ended: () => resolve(), failed: reject });
    const started = cell.call("exec", { stream: stream.id, as: "user" }, text);
    stream.outgoing.end();
    await started;
    await promise;
  };
  const above = "kernel, shell and program, in process";
  return { title: "in a cell, over the wire", above, run, close };
}

async function libraryLayer(): Promise<Layer> {
  const { Vms } = await fromDist<typeof Library>("vm/index.js");
  const vms = new Vms();
  const vm = await vms.create();
  const run = (): Promise<unknown> => vm.exec(command);
  const above = "in a cell, over the wire";
  return { title: "`vm.exec` of the library", above, run, close: () => vms.close() };
}

async function openMcp() {
  const home = await mkdtemp(join(tmpdir(), "agentos-mcp-bench-home-"));
  const client = new McpClient(ownBinFile, home);
  await client.initialize();
  const close = async (): Promise<void> => {
    await client.close();
    await stopServers(ownBinFile, home);
    await rm(home, { recursive: true, force: true });
  };
  return { client, close };
}

async function mcpPingLayer(): Promise<Layer> {
  const { client, close } = await openMcp();
  return { title: "MCP `ping` through the shim", run: () => client.request("ping", {}), close };
}

async function mcpLayer(): Promise<Layer> {
  const { client, close } = await openMcp();
  await client.callTool("vm_create", { name: "bench" });
  const run = (): Promise<unknown> => client.callTool("vm_exec", { vm_id: "bench", command });
  return { title: "MCP `vm_exec` through the shim", above: "`vm.exec` of the library", run, close };
}

async function fromDist<T>(path: string): Promise<T> {
  return (await import(new URL(`../dist/${path}`, import.meta.url).href)) as T;
}
