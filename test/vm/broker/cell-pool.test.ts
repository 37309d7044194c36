import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CellLost } from "../../../src/vm/broker/cell-client.ts";
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

/** A line of a cell that tells its calls; its name is before that. */
const isAsked = (method: string) => (line: string) => line.endsWith(`asked: ${method}`);

it("warms up a cell that waits", async () => {
  const { pool, lines } = makePool("lying-cell.ts", 1, "tells-calls");
  pool.fill();
  await eventually("it is asked to warm up", () => lines.some(isAsked("warmUp")));
});

it("does not warm up a cell that somebody waits for", async () => {
  const { pool, lines } = makePool("lying-cell.ts", 0, "tells-calls");
  const cell = await pool.take();
  expect(await cell.isAlive()).toBe(true);
  await eventually("it is asked for a sign of life", () => lines.some(isAsked("ping")));
  expect(lines.filter(isAsked("warmUp"))).toEqual([]);
});
