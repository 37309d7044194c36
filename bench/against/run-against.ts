// `npm run bench -- --against COMMIT`: whether this checkout is slower than a commit.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "../options.ts";
import { peerList } from "../peer-list.ts";
import { PeerProcess } from "../peer-process.ts";
import { describeMachine, formatMachine } from "../report.ts";
import { isCompared } from "../row.ts";
import { makeRows } from "../rows.ts";
import { type Build, buildCommit, buildHead } from "./builds.ts";
import { measureAgainst } from "./measure-against.ts";
import { formatAgainst, isWorse, judgeAgainst } from "./report-against.ts";

/** What a run has found: text for people, the same for programs, and whether HEAD is worse in a row. */
export interface AgainstReport {
  readonly text: string;
  readonly json: unknown;
  readonly isWorse: boolean;
}

/** Throws CommitError; the signal's reason once it is aborted. Nothing is left of it either way. */
export async function runAgainst(
  commit: string,
  options: BenchOptions,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<AgainstReport> {
  const folder = mkdtempSync(join(tmpdir(), "agentos-mcp-bench-builds-"));
  try {
    const base = await buildCommit(commit, { folder, signal, say });
    const head = await buildHead({ folder, signal, say });
    return await compareBuilds({ head, base }, options, { signal, say });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareBuilds(
  { head, base }: { readonly head: Build; readonly base: Build },
  { rounds, streamBytes, isQuick, isRowChosen }: BenchOptions,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<AgainstReport> {
  const loadBefore = loadavg();
  const rows = makeRows(streamBytes).filter(
    (row) => isCompared(row) && isRowChosen(row.key) && !(isQuick && row.isSlow === true),
  );
  const makeSide = ({ folder }: Build): PeerProcess => {
    const ours = peerList.find(({ name }) => name === "ours");
    if (ours === undefined) throw new Error("our own row of the peers is missing");
    return new PeerProcess(ours, folder, signal);
  };
  const results = await measureAgainst({
    rows,
    makeSides: () => ({ head: makeSide(head), base: makeSide(base) }),
    rounds,
    signal,
    say,
  });
  const machine = describeMachine(loadBefore);
  const titles = { head: head.title, base: base.title };
  return {
    text: `${formatMachine(machine)}\n\n${formatAgainst(results, titles)}\n`,
    json: {
      machine,
      ...titles,
      results: results.map((result) => ({ ...result, verdict: judgeAgainst(result) })),
    },
    isWorse: results.some(isWorse),
  };
}
