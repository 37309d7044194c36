// `npm run bench`: agentos-mcp beside agentOS and just-bash, or beside another commit of itself, in one run.
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import { CommitError } from "./against/builds.ts";
import { runAgainst } from "./against/run-against.ts";
import { installPeers } from "./install-peers.ts";
import { measureMemory } from "./measure-memory.ts";
import { measureRow, type Result } from "./measure-rows.ts";
import { measureSandbox } from "./measure-sandbox.ts";
import { measureStart } from "./measure-start.ts";
import { type BenchOptions, helpText, readOptions, UsageError } from "./options.ts";
import { type PeerName, peerList } from "./peer-list.ts";
import { PeerProcess } from "./peer-process.ts";
import {
  describeMachine,
  formatMachine,
  formatProblems,
  formatTable,
  judge,
  ratioTo,
} from "./report.ts";
import { makeRows } from "./rows.ts";

const ROUNDS = 20;

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => interruption.abort(new Interrupted(`Stopped by ${name}.`)));
}
const { signal } = interruption;

class Interrupted extends Error {}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(helpText());
  else if (options.against === undefined) await runBesidePeers(options);
  else await runAgainstCommit(options.against, options);
} catch (error) {
  const isExpected = [UsageError, CommitError, Interrupted].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  say(error.message);
  process.exitCode = error instanceof Interrupted ? 130 : 2;
}

async function runAgainstCommit(commit: string, options: BenchOptions): Promise<void> {
  const report = await runAgainst(commit, options, { signal, say });
  process.stdout.write(report.text);
  writeJson(options, report.json);
  if (report.isWorse) process.exitCode = 1;
}

async function runBesidePeers(options: BenchOptions): Promise<void> {
  const loadBefore = loadavg();
  const chosen = peerList.filter(({ name }) => options.isPeerChosen(name));
  await ensureDist();
  const folders = await installPeers(chosen, say);
  const makePeers = (): PeerProcess[] =>
    chosen.map((row) => new PeerProcess(row, folders.get(row.name), signal));
  const results = await measure(makePeers, options);
  const machine = describeMachine(loadBefore);
  const names = chosen.map(({ name }) => name);
  process.stdout.write(`${formatMachine(machine)}\n\n${formatTable(results, names)}\n`);
  const problems = formatProblems(results);
  if (problems !== "") process.stdout.write(`\nfailed:\n${problems}\n`);
  writeJson(options, { machine, results: results.map(judged) });
}

async function measure(
  makePeers: () => PeerProcess[],
  { rounds = ROUNDS, streamBytes, isQuick, isRowChosen, isPeerChosen }: BenchOptions,
): Promise<Result[]> {
  const results: Result[] = [];
  const peers = makePeers();
  try {
    for (const row of makeRows(streamBytes)) {
      if (!isRowChosen(row.key) || (isQuick && row.isSlow === true)) continue;
      say(`${row.title} ...`);
      results.push(await measureRow(row, peers, { rounds, signal }));
      signal.throwIfAborted();
    }
  } finally {
    for (const peer of peers) await peer.close();
  }
  if (isRowChosen("sandbox") && isPeerChosen("ours")) {
    say("sandbox ...");
    results.push(...(await measureSandbox(rounds)));
    signal.throwIfAborted();
  }
  const vmPeers = (): PeerProcess[] => makePeers().filter(({ name }) => name !== "host");
  if (isRowChosen("memory") && process.platform === "linux") {
    say("memory ...");
    results.push(...(await measureMemory(vmPeers)));
    signal.throwIfAborted();
  }
  if (isRowChosen("start")) {
    say("start ...");
    results.push(...(await measureStart(vmPeers, { rounds: Math.min(5, rounds), signal })));
    signal.throwIfAborted();
  }
  return results;
}

function judged(result: Result): Result & { goal: string; ratios: Record<string, number> } {
  const others: PeerName[] = ["agentos", "just-bash", "host"];
  const ratios = others.flatMap((name) => {
    const ratio = ratioTo(result, name);
    return ratio === undefined ? [] : [[name, ratio] as const];
  });
  return { ...result, ratios: Object.fromEntries(ratios), goal: judge(result) };
}

function writeJson({ json }: BenchOptions, value: unknown): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(value, null, 2)}\n`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
