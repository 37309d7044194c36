// The bash cases: reading them, and running one in a fresh VM.
import { existsSync, readFileSync } from "node:fs";
import { casePrograms } from "./bash-case-programs.ts";
import { boot, type RunResult } from "./boot.ts";

export interface BashCase {
  readonly id: string;
  readonly what: string;
  readonly script: string;
  readonly expect: { readonly status: number; readonly stdout?: string; readonly stderr?: string };
}

/** The cases outside the repository; undefined where they are not at hand. */
export function findSharedCases(): readonly BashCase[] | undefined {
  const path = new URL("../../../shared/conformance/shell/bash-cases.jsonl", import.meta.url);
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as BashCase);
}

const LIMIT_MS = 10_000;

const caseFiles = casePrograms.map(({ path, text }) => ({
  path,
  kind: "file" as const,
  mode: 0o755,
  content: new TextEncoder().encode(text),
}));

/** The script on stdin of bash in a working directory of its own. */
export async function runCase({ script }: BashCase): Promise<RunResult> {
  const machine = await boot({ seed: caseFiles });
  const directory = "/tmp/case";
  await machine.sys.mkdir(directory, 0o755);
  await machine.sys.chown(directory, 1000, 1000);
  const env = { SH: "bash", TMP: directory, LC_ALL: "C.UTF-8" };
  const result = await machine.run(["bash"], {
    stdin: script,
    cwd: directory,
    env,
    limitMs: LIMIT_MS,
  });
  const [bug] = machine.logged;
  return bug === undefined ? result : { ...result, stderr: `${result.stderr}${bug}`, status: -1 };
}

export function isPassed({ expect }: BashCase, result: RunResult): boolean {
  if (result.status !== expect.status) return false;
  if (expect.stdout !== undefined && result.stdout !== expect.stdout) return false;
  return expect.stderr === undefined || result.stderr === expect.stderr;
}
