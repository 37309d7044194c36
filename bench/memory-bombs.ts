// Memory bombs of each kind, many times in one VM each. A bomb must end alone: the VM, its files and its
// other processes stay. Prints a table; exits 1 if anything else was harmed.
// `node scripts/pinned.mjs bench/memory-bombs.ts [--runs N] [--only WORDS] [--memory MB]`
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Library from "../src/vm/index.ts";
import { type Bomb, bombs } from "./bombs/bombs.ts";
import { explode, prepareTarget } from "./bombs/explode.ts";
import { summarize } from "./statistics.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    only: { type: "string", default: "" },
    memory: { type: "string" },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs takes a whole number from 1 up");

await ensureDist();
const { Vms }: typeof Library = await import(new URL("../dist/vm/index.js", import.meta.url).href);
const vms = new Vms({ poolSize: 0 });

console.log(`${runs} runs each, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| bomb | runs | ended alone | median s | longest s |\n|---|--:|--:|--:|--:|");
for (const [name, bomb] of Object.entries(bombs)) {
  if (name.includes(values.only)) await runBomb(name, bomb);
}
await vms.close();

async function runBomb(name: string, bomb: Bomb): Promise<void> {
  const memoryMb = values.memory === undefined ? {} : { memoryMb: Number(values.memory) };
  const vm = await vms.create(memoryMb);
  const target = await prepareTarget(vm);
  const seconds: number[] = [];
  const failures: string[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const start = performance.now();
    const wrong = await explode(target, bomb);
    seconds.push((performance.now() - start) / 1000);
    if (wrong.length > 0) failures.push(`${name}, run ${run}: ${wrong.join("; ")}`);
  }
  await vm.destroy();
  const { median } = summarize(seconds) ?? { median: 0 };
  const cells = [
    name,
    runs,
    runs - failures.length,
    median.toFixed(1),
    Math.max(...seconds).toFixed(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}
