import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type CellClient, CellLost } from "../../../src/vm/broker/cell-client.ts";
import { CellPool } from "../../../src/vm/broker/cell-pool.ts";
import { eventually } from "../../support/eventually.ts";
import { findProcess } from "../../support/processes.ts";

const root = resolve(import.meta.dirname, "../../..");
const pools: CellPool[] = [];
let mark = 0;

interface TestedPool {
  readonly pool: CellPool;
  readonly cells: () => number[];
  /** What the pool and its cells have logged. */
  readonly lines: readonly string[];
}

function makePool(cell: string, size: number, lie = "none"): TestedPool {
  const lines: string[] = [];
  mark += 1;
  const name = `pool-${process.pid}-${mark}`;
  const pool = new CellPool({
    entry: resolve(root, `test/support/cells/${cell}`),
    args: [lie, name],
    size,
    memoryLimitBytes: 256 << 20,
    log: (line) => lines.push(line),
    starter: { readable: [resolve(root, "src"), resolve(root, "test")] },
  });
  pools.push(pool);
  return { pool, cells: () => cellsWith(name), lines };
}

/** Our living cells whose command line ends with the word. */
function cellsWith(name: string): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && commandLine(entry).endsWith(`\0${name}\0`))
    .map(Number)
    .filter((pid) => findProcess(pid) !== undefined);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Kills every cell that waits, and waits until others have taken their place. */
async function replaceAll(cells: () => number[], size: number): Promise<void> {
  const old = cells();
  for (const pid of old) process.kill(pid, "SIGKILL");
  await eventually("the pool is full again", () => {
    const now = cells();
    return now.length === size && now.every((pid) => !old.includes(pid));
  });
}

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

it("replaces cells that are killed while they wait", async () => {
  const { pool, cells } = makePool("lying-cell.ts", 2);
  pool.fill();
  await eventually("two cells wait", () => cells().length === 2);
  await replaceAll(cells, 2);
  await replaceAll(cells, 2);
});

it("hands out a living cell when all that waited have just been killed", async () => {
  const { pool, cells } = makePool("lying-cell.ts", 2);
  // Taken from a pool that is full of cells that are ready.
  await pool.take();
  await eventually("two more wait", () => cells().length === 3);
  const first = await pool.take();
  const second = await pool.take();
  await eventually("the pool is full", () => cells().length === 5);
  for (const pid of cells()) process.kill(pid, "SIGKILL");
  const cell = await pool.take();
  expect(await cell.isAlive()).toBe(true);
  expect([await first.isAlive(), await second.isAlive()]).toEqual([false, false]);
});

it("fills up after a cell had to be started on demand", async () => {
  const { pool, cells } = makePool("lying-cell.ts", 2);
  await pool.take();
  await eventually("the one taken and two that wait", () => cells().length === 3);
});

it("gives up when cells end as soon as they start", async () => {
  const { pool } = makePool("no-such-cell.ts", 1);
  await expect(pool.take()).rejects.toBeInstanceOf(CellLost);
});

it("warms up a cell that waits, and none that somebody waits for", async () => {
  const { pool, lines } = makePool("lying-cell.ts", 1, "tells-calls");
  const askedOf = (cell: CellClient): string[] =>
    lines.flatMap((line) => new RegExp(`^${cell.pid} is asked: (.*)`).exec(line)?.[1] ?? []);
  const onDemand = await pool.take();
  await eventually("the next one is warm", () => lines.some((line) => line.endsWith("warmUp")));
  const waited = await pool.take();
  await onDemand.isAlive();
  // What a cell logs comes on a way of its own. The watchdog pings, too.
  for (const cell of [onDemand, waited])
    await eventually("it has said all", () => askedOf(cell).includes("ping"));
  expect(askedOf(onDemand)).not.toContain("warmUp");
  expect(askedOf(waited)[0]).toBe("warmUp");
});
