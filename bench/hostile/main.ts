// What others feel of a lying cell and of a hostile client: a million frames and 100,000 messages, the server's memory, and
// `echo hi` of a neighbour beside the same while nothing else goes on.
// `node scripts/pinned.mjs bench/hostile/main.ts [frames of each kind] [messages]`
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ensureDist } from "../../scripts/ensure-dist.mjs";
import { CellPool } from "../../src/vm/broker/cell-pool.ts";
import { Disk } from "../../src/vm/broker/folders/disk.ts";
import { HostError } from "../../src/vm/host-error.ts";
import { LogSpace } from "../../src/vm/log-space.ts";
import { Vm } from "../../src/vm/vm.ts";
import { summarize } from "../statistics.ts";
import { floodWithMessages } from "./hostile-client.ts";

const frames = Number(process.argv[2] ?? 200_000);
const messages = Number(process.argv[3] ?? 100_000);
const root = resolve(import.meta.dirname, "../..");

/** Valid at any rate: slowed. Never valid: the cell ends. */
const kinds = {
  slowed: ["notices", "logs", "ended questions", "stopped streams", "output of one byte"],
  ended: ["ready again", "warnings", "empty output", "events of no watch", "questions"],
} as const;

await ensureDist();
const disk = new Disk();
const pools: CellPool[] = [];
const folder = mkdtempSync(join(tmpdir(), "hostile-"));
try {
  const quiet = await makeVm("quiet", resolve(root, "dist/vm/cell/main.js"), []);
  for (let i = 0; i < 200; i++) await quiet.exec("echo hi");
  console.log(
    `A cell that lies, ${frames} frames of each kind; load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log(
    "| frames | the cell | idle p50 (p95) ms | meanwhile p50 (p95) ms | p95 × | server MB |",
  );
  console.log("|---|---|--:|--:|--:|--:|");
  for (const kind of kinds.slowed) await attack(quiet, kind, "went on");
  for (const kind of kinds.ended) await attack(quiet, kind, "ended");
  await quiet.destroy();
  for (const pool of pools) await pool.close();
  await disk.close();
  await floodWithMessages(join(folder, "home"), messages);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function attack(quiet: Vm, kind: string, expected: string): Promise<void> {
  const idle = summarize(await echoWhile(quiet, Promise.resolve(), 300));
  const entry = resolve(import.meta.dirname, "flooding-cell.ts");
  const liar = await makeVm("liar", entry, [kind, String(frames)]);
  const running = liar.exec("flood").then(
    () => "went on",
    (error: unknown) => (error instanceof HostError ? "ended" : String(error)),
  );
  const during = summarize(await echoWhile(quiet, running, 100));
  const ending = await running;
  await liar.destroy();
  await pools.pop()?.close();
  if (idle === undefined || during === undefined) throw new Error("nothing was measured");
  const cells = [
    kind,
    ending === expected ? ending : `${ending}, not as expected`,
    `${idle.median.toFixed(2)} (${idle.p95.toFixed(2)})`,
    `${during.median.toFixed(2)} (${during.p95.toFixed(2)})`,
    (during.p95 / idle.p95).toFixed(1),
    (process.memoryUsage.rss() / 1e6).toFixed(0),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** Until the other is over, and at least so often. */
async function echoWhile(vm: Vm, other: Promise<unknown>, least: number): Promise<number[]> {
  let isOver = false;
  const ended = other.then(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver || times.length < least) {
    const start = performance.now();
    await vm.exec("echo hi");
    times.push(performance.now() - start);
  }
  await ended;
  return times;
}

async function makeVm(id: string, entry: string, args: readonly string[]): Promise<Vm> {
  const pool = new CellPool({
    entry,
    args: [...args],
    size: 0,
    memoryLimitBytes: 512 << 20,
    log: () => undefined,
    starter: { readable: [resolve(root, "src"), resolve(root, "bench"), resolve(root, "dist")] },
  });
  pools.push(pool);
  const vm = new Vm({
    id,
    options: { onPermissionRequest: () => new Promise(() => undefined) },
    pool,
    disk,
    logDirectory: folder,
    logSpace: new LogSpace(1 << 30),
    log: () => undefined,
    forget: () => undefined,
  });
  await vm.start();
  return vm;
}
