// `npm run bench`: agentos-mcp beside agentOS and just-bash, in one run.
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { ensureDist } from "../scripts/ensure-dist.mjs";
import { installPeers } from "./install-peers.ts";
import { measureMemory } from "./measure-memory.ts";
import { measureRow, type Result } from "./measure-rows.ts";
import { measureSandbox } from "./measure-sandbox.ts";
import { measureStart } from "./measure-start.ts";
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
import { rows } from "./rows.ts";

const HELP = `npm run bench -- [options]
  --quick          leave out the rows that take agentOS half a minute and more
  --rounds N       rounds of each row (20)
  --peers A,B      of ours, agentos, just-bash, host; all of them unless said otherwise
  --rows A,B       of ${rows.map(({ key }) => key).join(", ")}, sandbox, memory, start
  --json           print the results as JSON
Peers are installed in AGENTOS_BENCH_CACHE, or else in the system's temporary folder.
`;

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    rounds: { type: "string", default: "20" },
    peers: { type: "string" },
    rows: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const loadBefore = loadavg();
  const chosen = peerList.filter(({ name }) => isChosen(options.peers, name));
  await ensureDist();
  const folders = await installPeers(chosen, say);
  const makePeers = (): PeerProcess[] =>
    chosen.map((row) => new PeerProcess(row, folders.get(row.name)));
  const results = await measure(makePeers, Number(options.rounds));
  const machine = describeMachine(loadBefore);
  const names = chosen.map(({ name }) => name);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ machine, results: results.map(judged) }, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${formatMachine(machine)}\n\n${formatTable(results, names)}\n`);
  const problems = formatProblems(results);
  if (problems !== "") process.stdout.write(`\nfailed:\n${problems}\n`);
}

async function measure(makePeers: () => PeerProcess[], rounds: number): Promise<Result[]> {
  const results: Result[] = [];
  const peers = makePeers();
  try {
    for (const row of rows) {
      if (!isChosen(options.rows, row.key) || (options.quick && row.isSlow === true)) continue;
      say(`${row.title} ...`);
      results.push(await measureRow(row, peers, rounds));
    }
  } finally {
    for (const peer of peers) await peer.close();
  }
  if (isChosen(options.rows, "sandbox") && isChosen(options.peers, "ours")) {
    say("sandbox ...");
    results.push(...(await measureSandbox(rounds)));
  }
  const vmPeers = (): PeerProcess[] => makePeers().filter(({ name }) => name !== "host");
  if (isChosen(options.rows, "memory") && process.platform === "linux") {
    say("memory ...");
    results.push(...(await measureMemory(vmPeers)));
  }
  if (isChosen(options.rows, "start")) {
    say("start ...");
    results.push(...(await measureStart(vmPeers, Math.min(5, rounds))));
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

function isChosen(list: string | undefined, name: string): boolean {
  return list === undefined || list.split(",").includes(name);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
