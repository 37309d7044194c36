// Runs scripts in a VM beside the host's pinned Node, in an empty directory each, and compares all that
// they say. Scripts print no absolute paths, times or numbers of processes.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "./built-vms.ts";

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** As in a VM, scripts are not root's. Debian's and Linux's number of `nobody`. */
const NOBODY = 65_534;
const LIMIT_MS = 60_000;

/** One test for each script: it ends and says the same in a VM as under Node itself. */
export function describeLikeNode(
  name: string,
  scripts: Readonly<Record<string, string>>,
  { extension = "js", flags = [] }: { extension?: "js" | "mjs"; flags?: readonly string[] } = {},
): void {
  describe(name, () => {
    let vms: Vms;
    let vm: Vm;
    beforeAll(async () => {
      vms = new built.Vms({ poolSize: 0 });
      vm = await vms.create();
    });
    afterAll(() => vms.close());

    const all = Object.entries(scripts);
    it.each(all)("%s", { timeout: LIMIT_MS * 2 }, async (_, script) => {
      const file = `script.${extension}`;
      const [inVm, onHost] = await Promise.all([
        runInVm(vm, file, script, flags),
        runOnHost(file, script, flags),
      ]);
      expect(inVm).toEqual(onHost);
    });
  });
}

async function runInVm(
  vm: Vm,
  file: string,
  script: string,
  flags: readonly string[],
): Promise<Said> {
  const command = `d=$(mktemp -d) && cd $d && cat > ${file} && node ${flags.join(" ")} ${file}`;
  const ended = await vm.exec(command, { stdin: script, timeoutMs: LIMIT_MS });
  const { stdout, stderr, exitCode } = ended;
  return { stdout, stderr, status: exitCode };
}

async function runOnHost(file: string, script: string, flags: readonly string[]): Promise<Said> {
  const directory = mkdtempSync(join(tmpdir(), "agentos-beside-"));
  try {
    chmodSync(directory, 0o777);
    writeFileSync(join(directory, file), script, { mode: 0o644 });
    const child = spawn(process.execPath, [...flags, file], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", HOME: directory, LANG: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LIMIT_MS,
      ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject).on("close", resolve);
    });
    const [stdout, stderr, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { stdout, stderr, status };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
