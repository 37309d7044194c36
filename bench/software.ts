// What a folder of the host costs in a VM, beside the host's own tools on the same folder: 10,000 files
// in 500 directories, 1,000 small files, 50 MB in one. `node scripts/pinned.mjs bench/software.ts [rounds]`
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Library from "../src/vm/index.ts";
import { summarize } from "./statistics.ts";

const rounds = Number(process.argv[2] ?? 5);
/** Each is run twice in every VM: the second time it finds what the first has fetched. */
const commands = [
  ["10,000 stats: `find tree -type f -size +0`", "find tree -type f -size +0 | wc -l"],
  ["1,000 files of 4 kB: `cat small/*`", "cat small/* | wc -c"],
  ["50 MB in one file: `cat large`", "cat large | wc -c"],
] as const;

await ensureDist();
const library = new URL("../dist/vm/index.js", import.meta.url).href;
const { Vms }: typeof Library = await import(library);
const folder = mkdtempSync(join(tmpdir(), "agentos-mcp-bench-software-"));
const times = new Map<string, number[]>();
try {
  fill(folder);
  await measureAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function measureAll(): Promise<void> {
  const vms = new Vms({ poolSize: 2 });
  try {
    await (await vms.create({ software: [folder] })).destroy();
    for (let round = 0; round < rounds; round++) await measureOnce(vms);
  } finally {
    await vms.close();
  }
  console.log(`${rounds} rounds, medians in ms, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log("| | first | again | host |\n|---|--:|--:|--:|");
  for (const [title] of commands) {
    const row = ["first", "again", "host"].map((column) => show(`${title} ${column}`));
    console.log(`| ${title} | ${row.join(" | ")} |`);
  }
  console.log(`| create a VM with the folder | ${show("with")} | | |`);
  console.log(`| create a VM without | ${show("without")} | | |`);
}

async function measureOnce(vms: Library.Vms): Promise<void> {
  // The pool fills up again a while after a cell was taken.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const plain = await time("without", () => vms.create());
  const vm = await time("with", () =>
    vms.create({ software: [{ path: folder, at: "/opt/bench" }] }),
  );
  for (const [title, command] of commands) {
    const host = await time(`${title} host`, async () =>
      execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" }),
    );
    for (const column of ["first", "again"]) {
      const { stdout } = await time(`${title} ${column}`, () =>
        vm.exec(command, { cwd: "/opt/bench" }),
      );
      if (stdout.trim() !== host.trim()) throw new Error(`${title}: ${stdout} is not ${host}`);
    }
  }
  await Promise.all([plain.destroy(), vm.destroy()]);
}

async function time<T>(key: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await run();
  const known = times.get(key) ?? [];
  times.set(key, [...known, performance.now() - start]);
  return result;
}

function show(key: string): string {
  return summarize(times.get(key) ?? [])?.median.toFixed(1) ?? "";
}

function fill(root: string): void {
  for (let i = 0; i < 500; i++) {
    const directory = join(root, "tree", `package-${i % 50}`, `part-${i}`);
    mkdirSync(directory, { recursive: true });
    for (let j = 0; j < 20; j++) writeFileSync(join(directory, `file-${j}.js`), "x");
  }
  mkdirSync(join(root, "small"));
  for (let i = 0; i < 1000; i++) {
    writeFileSync(join(root, "small", `module-${i}.js`), Buffer.alloc(4000, "a"));
  }
  writeFileSync(join(root, "large"), Buffer.alloc(50_000_000, "0123456789"));
}
