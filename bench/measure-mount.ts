// A directory of the host mounted in a VM: what a script of the VM's own Node takes for a step, timed inside the
// VM; beside it the same on the VM's own files, in memory, and on the host. Every file is used for the first time.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import type * as Library from "../src/vm/index.ts";

/** A step with `fs`, `at` for the directory, `i` for the round and `mb` for a megabyte; `after` is not timed. */
export interface MountStep {
  readonly title: string;
  readonly body: string;
  readonly after?: string;
  readonly goal?: string;
}

export const READ_MEGABYTE: MountStep = {
  title: "read a file of 1 MB",
  body: "fs.readFileSync(`${at}/mb/${i}`)",
  goal: "≤ 5 ms",
};

export interface MountTimes {
  readonly mounted: readonly number[];
  readonly memory: readonly number[];
  readonly host: readonly number[];
}

/** Of each step in turn, in milliseconds. */
export async function measureMount(
  rounds: number,
  steps: readonly MountStep[],
): Promise<readonly MountTimes[]> {
  await ensureDist();
  const { Disk, HostFolder, Vms }: typeof Library = await import(
    new URL("../dist/vm/index.js", import.meta.url).href
  );
  const folder = mkdtempSync(join(tmpdir(), "agentos-mcp-bench-mount-"));
  const disk = new Disk();
  const vms = new Vms({ poolSize: 1 });
  try {
    fill(join(folder, "shared"), rounds);
    fill(join(folder, "own"), rounds);
    const path = join(folder, "shared");
    const fileSystem = await HostFolder.open(disk, { path, limitBytes: 2 ** 32 });
    const vm = await vms.create({ mounts: [{ at: "/sandbox", fileSystem }] });
    await vm.exec("cp -r /sandbox /tmp/copy");
    const all: MountTimes[] = [];
    for (const step of steps) {
      all.push({
        mounted: await timeInVm(vm, scriptOf(step, "/sandbox", rounds)),
        memory: await timeInVm(vm, scriptOf(step, "/tmp/copy", rounds)),
        host: timeHere(scriptOf(step, join(folder, "own"), rounds)),
      });
    }
    return all;
  } finally {
    await vms.close();
    await disk.close();
    rmSync(folder, { recursive: true });
  }
}

function scriptOf({ body, after = "" }: MountStep, at: string, rounds: number): string {
  return `const fs = require("fs"), at = ${JSON.stringify(at)}, mb = Buffer.alloc(1 << 20), times = [];
    for (let i = 0; i < ${rounds}; i++) {
      const t = performance.now(); ${body}; times.push(performance.now() - t); ${after}
    }
    console.log(JSON.stringify(times));`;
}

async function timeInVm(vm: Library.Vm, script: string): Promise<readonly number[]> {
  await vm.files.write("/tmp/bench.js", script);
  const { stdout, stderr, exitCode } = await vm.exec("node /tmp/bench.js", { timeoutMs: 120_000 });
  if (exitCode !== 0) throw new Error(stderr);
  return readTimes(stdout);
}

function timeHere(script: string): readonly number[] {
  return readTimes(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

function readTimes(text: string): readonly number[] {
  const times: unknown = JSON.parse(text);
  return Array.isArray(times) ? times.map(Number) : [];
}

function fill(root: string, rounds: number): void {
  for (const name of ["", "mb", "small", "stat", "list"]) mkdirSync(join(root, name));
  for (let i = 0; i < rounds; i++) {
    writeFileSync(join(root, "mb", String(i)), Buffer.alloc(1 << 20, "0123456789"));
    writeFileSync(join(root, "small", String(i)), Buffer.alloc(100, "a"));
    writeFileSync(join(root, "stat", String(i)), "");
    mkdirSync(join(root, "list", String(i)));
    for (let j = 0; j < 100; j++) writeFileSync(join(root, "list", String(i), `file-${j}`), "");
  }
}
