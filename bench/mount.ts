// What a mount of a shared directory costs in a VM: every file is read for the first time, by a script of the
// VM's own Node, which times it inside the VM; beside it the same on the VM's own files, in memory.
// `node scripts/pinned.mjs bench/mount.ts [rounds]`
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Escalation from "../src/sandbox-escalation/index.ts";
import type * as Library from "../src/vm/index.ts";
import { summarize } from "./statistics.ts";

const rounds = Number(process.argv[2] ?? 20);

/** What is timed, with `at` for the directory and `i` for the round. */
const bodies = [
  ["read a file of 1 MB", "fs.readFileSync(`${at}/mb/${i}`)", "≤ 5 ms"],
  ["write a file of 1 MB", "fs.writeFileSync(`${at}/new-${i}`, mb)", ""],
  ["read a file of 100 bytes", "fs.readFileSync(`${at}/small/${i}`)", ""],
  ["make a file of 100 bytes", "fs.writeFileSync(`${at}/tiny-${i}`, mb.subarray(0, 100))", ""],
  ["stat a file", "fs.statSync(`${at}/stat/${i}`)", ""],
  ["list a directory of 100 files", "fs.readdirSync(`${at}/list/${i}`)", ""],
] as const;

await ensureDist();
const { Vms }: typeof Library = await import(new URL("../dist/vm/index.js", import.meta.url).href);
const { Disk, HostDirectory }: typeof Escalation = await import(
  new URL("../dist/sandbox-escalation/index.js", import.meta.url).href
);
const folder = mkdtempSync(join(tmpdir(), "agentos-mcp-bench-mount-"));
const disk = new Disk();
try {
  fill(folder);
  await measure();
} finally {
  await disk.close();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const fileSystem = await HostDirectory.open(disk, { path: folder, limitBytes: 2 ** 32 });
  const vms = new Vms({ poolSize: 1 });
  try {
    const vm = await vms.create({ mounts: [{ at: "/sandbox", fileSystem }] });
    await vm.exec("cp -r /sandbox /tmp/copy");
    console.log(`${rounds} rounds, median (p95) in ms, load ${loadavg()[0]?.toFixed(1)}\n`);
    console.log("| | through the mount | in memory | goal |\n|---|--:|--:|---|");
    for (const [title, body, goal] of bodies) {
      const mounted = await time(vm, "/sandbox", body);
      const own = await time(vm, "/tmp/copy", body);
      console.log(`| ${title} | ${mounted} | ${own} | ${goal} |`);
    }
  } finally {
    await vms.close();
    await fileSystem.close();
  }
}

async function time(vm: Library.Vm, at: string, body: string): Promise<string> {
  const script = `const fs = require("fs"), at = "${at}", mb = Buffer.alloc(1 << 20), times = [];
    for (let i = 0; i < ${rounds}; i++) { const t = performance.now(); ${body}; times.push(performance.now() - t); }
    console.log(JSON.stringify(times));`;
  await vm.files.write("/tmp/bench.js", script);
  const { stdout, stderr, exitCode } = await vm.exec("node /tmp/bench.js", { timeoutMs: 120_000 });
  if (exitCode !== 0) throw new Error(stderr);
  const times: unknown = JSON.parse(stdout);
  const summary = summarize(Array.isArray(times) ? times.map(Number) : []);
  return `${summary?.median.toFixed(2)} (${summary?.p95.toFixed(2)})`;
}

function fill(root: string): void {
  for (const name of ["mb", "small", "stat", "list"]) mkdirSync(join(root, name));
  for (let i = 0; i < rounds; i++) {
    writeFileSync(join(root, "mb", String(i)), Buffer.alloc(1 << 20, "0123456789"));
    writeFileSync(join(root, "small", String(i)), Buffer.alloc(100, "a"));
    writeFileSync(join(root, "stat", String(i)), "");
    mkdirSync(join(root, "list", String(i)));
    for (let j = 0; j < 100; j++) writeFileSync(join(root, "list", String(i), `file-${j}`), "");
  }
}
