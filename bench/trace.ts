// What tracing costs: a call of a process that nobody traces, of one whose tracer wants no such call, and of one
// whose calls are all told. With another checkout, the same call there, in turns: what the hook costs when it is off.
// `node scripts/pinned.mjs bench/trace.ts [rounds] [other checkout]`
import { loadavg } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Support from "../test/support/test-kernel.ts";
import { summarize } from "./statistics.ts";

const rounds = Number(process.argv[2] ?? 40);
const other = process.argv[3];
const CALLS = 50_000;

type Measured = () => Promise<number>;
const here = join(import.meta.dirname, "..");
console.log(`getpid, ${rounds} rounds of ${CALLS} calls, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| process | median ns | p95 ns |\n|---|--:|--:|");
// First without any tracer: the engine compiles the same code otherwise once there has been one.
const off = new Map<string, Measured>([["nobody traces", await untraced(here)]]);
if (other !== undefined) off.set(`nobody traces, ${other}`, await untraced(other));
await compare(off);
const on = new Map<string, Measured>([["another call is traced", await traced(["open"])]]);
on.set("every call is told", await traced(undefined));
await compare(on);

/** One after the other, in every round. */
async function compare(ways: ReadonlyMap<string, Measured>): Promise<void> {
  const values = new Map<string, number[]>([...ways.keys()].map((title) => [title, []]));
  for (let round = 0; round < rounds; round++)
    for (const [title, measure] of ways) values.get(title)?.push(await measure());
  for (const [title, list] of values) {
    const summary = summarize(list);
    if (summary === undefined) throw new Error("there were no rounds");
    console.log(`| ${title} | ${summary.median.toFixed(0)} | ${summary.p95.toFixed(0)} |`);
  }
}

/** Nanoseconds of one call, in a process of a checkout's own kernel. */
async function untraced(root: string): Promise<Measured> {
  const url = pathToFileURL(join(root, "test/support/test-kernel.ts")).href;
  const { TestKernel }: typeof Support = await import(url);
  const test = await TestKernel.boot();
  return () => test.asUser(async (sys) => await time(() => sys.getpid()));
}

async function traced(calls: readonly string[] | undefined): Promise<Measured> {
  const { TestKernel } = await import("../test/support/test-kernel.ts");
  const test = await TestKernel.boot();
  const output = { write: async () => undefined, close: () => undefined };
  const named = calls === undefined ? undefined : new Set(calls);
  test.kernel.trace(output, { calls: named, shownBytes: 32 });
  return () => test.asUser(async (sys) => await time(() => sys.getpid()));
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  for (let left = CALLS; left > 0; left--) await call();
  return ((performance.now() - start) * 1e6) / CALLS;
}
