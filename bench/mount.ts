// What a mount of a shared directory costs in a VM: `node scripts/pinned.mjs bench/mount.ts [rounds]`.
import { loadavg } from "node:os";
import { type MountStep, measureMount, READ_MEGABYTE } from "./measure-mount.ts";
import { summarize } from "./statistics.ts";

const steps: readonly MountStep[] = [
  READ_MEGABYTE,
  {
    title: "write a file of 1 MB",
    body: "fs.writeFileSync(`${at}/new-${i}`, mb)",
    after: "fs.rmSync(`${at}/new-${i}`);",
  },
  { title: "read a file of 100 bytes", body: "fs.readFileSync(`${at}/small/${i}`)" },
  {
    title: "make a file of 100 bytes",
    body: "fs.writeFileSync(`${at}/tiny-${i}`, mb.subarray(0, 100))",
  },
  { title: "stat a file", body: "fs.statSync(`${at}/stat/${i}`)" },
  { title: "list a directory of 100 files", body: "fs.readdirSync(`${at}/list/${i}`)" },
  {
    title: "list 100 files with their attributes",
    body: "for (const name of fs.readdirSync(`${at}/list/${i}`)) fs.statSync(`${at}/list/${i}/${name}`)",
  },
];

const rounds = Number(process.argv[2] ?? 20);
const all = await measureMount(rounds, steps);
console.log(`${rounds} rounds, median (p95) in ms, load ${loadavg()[0]?.toFixed(1)}\n`);
console.log("| | through the mount | in memory | on the host | goal |\n|---|--:|--:|--:|---|");
for (const [n, { title, goal = "" }] of steps.entries()) {
  const { mounted = [], memory = [], host = [] } = all[n] ?? {};
  const [first, second, third] = [mounted, memory, host].map(describe);
  console.log(`| ${title} | ${first} | ${second} | ${third} | ${goal} |`);
}

function describe(times: readonly number[]): string {
  const summary = summarize(times);
  return `${summary?.median.toFixed(2)} (${summary?.p95.toFixed(2)})`;
}
