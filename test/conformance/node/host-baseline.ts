// What the host's own Node makes of each file, kept between runs: it takes minutes to find out.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Outcome } from "./outcome.ts";
import { runEach } from "./run-each.ts";
import { runOnHost } from "./run-on-host.ts";
import type { TestFile } from "./test-file.ts";

export interface BaselineOptions {
  readonly checkout: string;
  /** A JSON file, made or added to; undefined keeps nothing. */
  readonly path: string | undefined;
  readonly jobs: number;
  readonly tell: (line: string) => void;
}

/** Runs on the host what has not been run there yet. What fails is run once more, alone. */
export async function hostBaseline(
  files: readonly TestFile[],
  { checkout, path, jobs, tell }: BaselineOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const known = read(path);
  const missing = files.filter(({ name }) => !known.has(name));
  if (missing.length > 0) tell(`running ${missing.length} files under the host's own Node`);
  let done = 0;
  await runEach(missing, jobs, async (file) => {
    known.set(file.name, await runOnHost(checkout, file));
    done += 1;
    if (done % 100 === 0) {
      tell(`host: ${done} of ${missing.length}`);
      write(path, known);
    }
  });
  for (const file of missing) {
    const first = known.get(file.name);
    if (first?.verdict === "passed" || first?.verdict === "skipped") continue;
    known.set(file.name, await runOnHost(checkout, file));
  }
  write(path, known);
  return known;
}

function read(path: string | undefined): Map<string, Outcome> {
  if (path === undefined || !existsSync(path)) return new Map();
  const saved: { version: string; outcomes: Record<string, Outcome> } = JSON.parse(
    readFileSync(path, "utf8"),
  );
  return saved.version === process.version ? new Map(Object.entries(saved.outcomes)) : new Map();
}

function write(path: string | undefined, known: ReadonlyMap<string, Outcome>): void {
  if (path === undefined) return;
  const outcomes = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify({ version: process.version, outcomes }, null, 1)}\n`);
}
