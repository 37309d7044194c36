// What a folder of the host costs in a VM, beside the VM's own files in memory and the host's own tools on the same
// folder: 10,000 files in 550 directories, 1,000 small files, 50 MB in one.
// `node scripts/pinned.mjs bench/folder.ts [rounds]`
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
  ["find, 10,000 files", "find tree -type f -size +0 | wc -l"],
  ["grep -r, 10,000 files", "grep -r needle tree | wc -l"],
  ["cat, 1,000 files of 4 kB", "cat small/* | wc -c"],
  ["cat, one file of 50 MB", "cat large | wc -c"],
] as const;
const columns = ["read-only first", "again", "writable first", "again", "memory", "host"] as const;

await ensureDist();
const { Disk, HostFolder, Vms }: typeof Library = await import(
  new URL("../dist/vm/index.js", import.meta.url).href
);
const folder = mkdtempSync(join(tmpdir(), "agentos-mcp-bench-folder-"));
const times = new Map<string, number[]>();
try {
  fill(folder);
  await measureAll();
} finally {
  rmSync(folder, { recursive: true });
}

async function measureAll(): Promise<void> {
  const vms = new Vms({ poolSize: 2 });
  const disk = new Disk();
  try {
    await (await vms.create({ software: [folder] })).destroy();
    for (let round = 0; round < rounds; round++) await measureOnce(vms, disk);
  } finally {
    await vms.close();
    await disk.close();
  }
  console.log(`${rounds} rounds, medians in ms, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(`| | ${columns.join(" | ")} |\n|---|${"--:|".repeat(columns.length)}`);
  for (const [title] of commands) {
    const row = columns.map((_, n) => show(`${title} ${n}`));
    console.log(`| ${title} | ${row.join(" | ")} |`);
  }
  const reads = ["reads, mount", "reads again, mount", "reads, memory"].map(show);
  console.log(
    `\n1,000 reads of 4 kB: mount ${reads[0]} ms, again ${reads[1]} ms; memory ${reads[2]} ms`,
  );
  console.log(`\ncreate a VM with the folder: ${show("with")} ms; without: ${show("without")} ms`);
}

async function measureOnce(vms: Library.Vms, disk: Library.Disk): Promise<void> {
  // The pool fills up again a while after a cell was taken.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const plain = await time("without", () => vms.create());
  const readOnly = await time("with", () =>
    vms.create({ software: [{ path: folder, at: "/bench" }] }),
  );
  const fileSystem = await HostFolder.open(disk, { path: folder, limitBytes: 2 ** 32 });
  const writable = await vms.create({ mounts: [{ at: "/bench", fileSystem }] });
  await readOnly.exec("mkdir /tmp/copy; cp -r /bench/* /tmp/copy");
  const cold = await vms.create({ software: [{ path: folder, at: "/bench" }] });
  for (const [title, command] of commands) {
    const runs = [cold, cold, writable, writable].map((vm) => () => run(vm, "/bench", command));
    const all = [...runs, () => run(readOnly, "/tmp/copy", command), () => runHere(command)];
    const answers: string[] = [];
    for (const [n, each] of all.entries()) answers.push(await time(`${title} ${n}`, each));
    if (new Set(answers).size > 1) throw new Error(`${title}: ${answers.join(" is not ")}`);
  }
  for (const key of ["reads, mount", "reads again, mount"]) {
    await time(key, () => readAll(writable, "/bench/small"));
  }
  await time("reads, memory", () => readAll(readOnly, "/tmp/copy/small"));
  await Promise.all([plain, readOnly, writable, cold].map((vm) => vm.destroy()));
  await fileSystem.close();
}

/** As many calls of the VM's owner, one after the other. */
async function readAll(vm: Library.Vm, directory: string): Promise<void> {
  for (let i = 0; i < 1000; i++) await vm.files.read(`${directory}/module-${i}.js`);
}

async function run(vm: Library.Vm, cwd: string, command: string): Promise<string> {
  return (await vm.exec(command, { cwd, timeoutMs: 120_000 })).stdout.trim();
}

async function runHere(command: string): Promise<string> {
  return execFileSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" }).trim();
}

async function time<T>(key: string, act: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await act();
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
    for (let j = 0; j < 20; j++) {
      const text = `line of file ${j}\n`.repeat(40) + (j === 7 ? "a needle\n" : "");
      writeFileSync(join(directory, `file-${j}.js`), text);
    }
  }
  mkdirSync(join(root, "small"));
  for (let i = 0; i < 1000; i++) {
    writeFileSync(join(root, "small", `module-${i}.js`), Buffer.alloc(4000, "a"));
  }
  writeFileSync(join(root, "large"), Buffer.alloc(50_000_000, "0123456789"));
}
