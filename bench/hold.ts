// How one VM feels what another one does: `echo hi` in a quiet VM while a second VM is up to no good,
// beside the same with nothing else going on. Idle and attack are measured in turns.
// `node scripts/pinned.mjs bench/hold.ts [seconds per attack]`
import { loadavg } from "node:os";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Library from "../src/vm/index.ts";
import { summarize } from "./statistics.ts";

const seconds = Number(process.argv[2] ?? 4);
/** The goal: p95 during an attack within ten times of idle. */
const GOAL = 10;

const attacks = {
  "fork bomb": ":(){ :|:& };:; sleep 60",
  "output flood": "yes",
  "2 GB file": "while :; do head -c 2G /dev/zero > f; rm -f f; done",
  "10,000 open fds":
    'i=10; while [ $i -lt 10010 ]; do eval "exec $i>f"; i=$((i+1)); done; sleep 60',
  "endless loop": "while :; do :; done",
  "many files": "i=0; while :; do : > f$i; i=$((i+1)); done",
  "pipeline of megabytes": "cat /dev/zero | cat | cat | wc -c",
};

await ensureDist();
const { Vms }: typeof Library = await import(new URL("../dist/vm/index.js", import.meta.url).href);
const vms = new Vms({ poolSize: 1 });
const quiet = await vms.create();
for (let i = 0; i < 100; i++) await quiet.exec("echo hi");

console.log(`\`echo hi\` in a quiet VM, ${seconds} s each, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| meanwhile, in another VM | idle p50 (p95) ms | then p50 (p95) ms | p95 × | goal |");
console.log("|---|--:|--:|--:|---|");
for (const [name, command] of Object.entries(attacks)) {
  const idle = summarize(await echoFor(seconds / 2));
  const hostile = await vms.create();
  const running = hostile.spawn(command, { hasStdin: false });
  await running;
  const during = summarize(await echoFor(seconds));
  await hostile.destroy();
  if (idle === undefined || during === undefined) throw new Error("nothing was measured");
  const ratio = during.p95 / idle.p95;
  const cells = [
    name,
    `${idle.median.toFixed(2)} (${idle.p95.toFixed(2)})`,
    `${during.median.toFixed(2)} (${during.p95.toFixed(2)})`,
    ratio.toFixed(1),
    ratio <= GOAL ? "met" : "missed",
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
await vms.close();

async function echoFor(lengthSeconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + lengthSeconds * 1000;
  while (performance.now() < end) {
    const start = performance.now();
    const { stdout } = await quiet.exec("echo hi");
    if (stdout !== "hi\n") throw new Error(`wrong answer: ${stdout}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times;
}
