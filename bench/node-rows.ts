// JavaScript inside a VM, beside agentOS and the host's own Node of the same version.
import { makeWarmVm, type Row } from "./row.ts";

const peers = ["ours", "agentos", "host"] as const;

/** Median of many calls, in milliseconds, printed by the script itself. */
function medianScript(setUp: string, call: string, times: number): string {
  return `${setUp}
const samples = [];
for (let i = 0; i < ${times}; i++) {
  const start = performance.now();
  ${call};
  samples.push(performance.now() - start);
}
samples.sort((one, other) => one - other);
console.log(samples[Math.floor(samples.length / 2)]);
`;
}

interface Timed extends Pick<Row, "key" | "title" | "goals" | "peers"> {
  readonly script: string;
}

/** A module that times itself, run by `node`. */
function scriptRow(timed: Timed): Row {
  const { key, script } = timed;
  const path = `/tmp/${key}.mjs`;
  const run = runRow(timed);
  return {
    ...run,
    prepare: async (peer) => {
      await run.prepare?.(peer);
      await peer.call({ kind: "write", vm: key, path, text: script });
    },
    sample: (peer) => peer.call({ kind: "execPrinted", vm: key, command: `node ${path}` }),
  };
}

/** The same, given to each peer as code. */
function runRow({ script, ...row }: Timed): Row {
  return {
    peers,
    ...row,
    rounds: (peer, most) => Math.min(peer === "agentos" ? 3 : 10, most),
    prepare: (peer) => makeWarmVm(peer, { vm: row.key, command: "echo hi", answer: "^hi\n$" }),
    sample: (peer) => peer.call({ kind: "runPrinted", vm: row.key, code: script }),
  };
}

const LOOP = `const start = performance.now();
let state = 1, sum = 0;
for (let i = 0; i < 200_000_000; i++) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  sum = (sum + (state >>> 16)) | 0;
}
if (sum === 0) throw new Error("no sum");
console.log(performance.now() - start);
`;

const HELLO = `node -e 'console.log(1)'`;

export const nodeRows: readonly Row[] = [
  {
    key: "node-e",
    title: "warm `node -e 'console.log(1)'`",
    goals: [{ mostMs: 15 }, { timesFaster: 10, than: "agentos" }],
    peers,
    rounds: (peer, most) => Math.min(peer === "agentos" ? 10 : most, most),
    prepare: (peer) => makeWarmVm(peer, { vm: "node-e", command: HELLO, answer: "^1\n$" }),
    sample: (peer) => peer.call({ kind: "exec", vm: "node-e", command: HELLO, answer: "^1\n$" }),
  },
  scriptRow({
    key: "node-loop",
    title: "200 million steps of a loop",
    goals: [{ timesSlower: 1.2, than: "host" }],
    script: LOOP,
  }),
  scriptRow({
    key: "stat-sync",
    title: "`fs.statSync`, median of 5,000",
    goals: [{ mostMs: 0.015 }],
    // agentOS's clock has whole milliseconds.
    peers: ["ours", "host"],
    script: medianScript('import fs from "node:fs";', 'fs.statSync("/tmp")', 5000),
  }),
  // In agentOS's `node` it does not return.
  runRow({
    key: "spawn-sync",
    title: "`spawnSync('echo')`, median of 5",
    goals: [{ timesFaster: 50, than: "agentos" }],
    script: medianScript(
      'import { spawnSync } from "node:child_process";',
      'if (spawnSync("echo", ["hi"]).stdout.toString() !== "hi\\n") throw new Error("no echo")',
      5,
    ),
  }),
];
