// The rows of the table.
import { setTimeout as pause } from "node:timers/promises";
import { doorRows } from "./door-rows.ts";
import { nodeRows } from "./node-rows.ts";
import type { PeerProcess } from "./peer-process.ts";
import { makeWarmVm, type Row, SETTLE_MS } from "./row.ts";
import { streamRows } from "./stream-rows.ts";
import { toolkitRows } from "./toolkit-rows.ts";
import { userlandRows } from "./userland-rows.ts";

const BIG_FILE = "/tmp/big.txt";
const BIG_FILE_BYTES = 10 * 1024 * 1024;
const BIG_PIPE_LIMIT_MS = 120_000;
const BURST = 50;

function warmRow(row: Pick<Row, "key" | "title" | "goals">, command: string, answer: string): Row {
  return {
    ...row,
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: row.key, command, answer }),
    sample: (peer) => peer.call({ kind: "exec", vm: row.key, command, answer }),
  };
}

async function createAndEcho(peer: PeerProcess, vm: string, isAhead: boolean): Promise<number> {
  const ms = await peer.call({ kind: "createAndEcho", vm, isAhead });
  await peer.call({ kind: "destroy", vm });
  await pause(SETTLE_MS);
  return ms;
}

const machineRows: readonly Row[] = [
  {
    key: "create",
    title: "create VM → first `echo hi`",
    goals: [{ timesFaster: 20, than: "agentos" }],
    rounds: (_peer, most) => most,
    prepare: (peer) => createAndEcho(peer, "first", true),
    sample: (peer, round) => createAndEcho(peer, `create${round}`, true),
  },
  {
    key: "create-bare",
    title: "the same, no cell waiting",
    peers: ["ours"],
    rounds: (_peer, most) => Math.ceil(most / 2),
    prepare: (peer) => createAndEcho(peer, "first", false),
    sample: (peer, round) => createAndEcho(peer, `bare${round}`, false),
  },
  warmRow(
    { key: "echo", title: "warm `echo hi`", goals: [{ timesFaster: 50, than: "agentos" }] },
    "echo hi",
    "^hi\n$",
  ),
  warmRow({ key: "ls", title: "`ls -la /`" }, "ls -la /", "\\bbin\\b[^]*\\btmp\\b"),
  warmRow(
    {
      key: "pipeline",
      title: "`seq 1 1000 \\| sort -rn \\| head -3`",
      goals: [{ timesFaster: 50, than: "agentos" }],
    },
    "seq 1 1000 | sort -rn | head -3",
    "^1000\n999\n998\n$",
  ),
  {
    key: "big-pipe",
    title: "10 MB `cat file \\| wc -l`",
    goals: [{ timesFaster: 100, than: "agentos" }],
    isSlow: true,
    rounds: (peer, most) => (peer === "agentos" ? 1 : Math.min(5, most)),
    prepare: async (peer) => {
      await makeWarmVm(peer, { vm: "big-pipe", command: "echo hi | cat", answer: "^hi\n$" });
      await peer.call({
        kind: "writeLines",
        text: "same",
        vm: "big-pipe",
        path: BIG_FILE,
        bytes: BIG_FILE_BYTES,
      });
    },
    sample: (peer) =>
      peer.call(
        {
          kind: "exec",
          vm: "big-pipe",
          command: `cat ${BIG_FILE} | wc -l`,
          answer: "^\\s*141699\n$",
        },
        BIG_PIPE_LIMIT_MS,
      ),
  },
  {
    key: "burst",
    title: `${BURST} VMs at once: create + \`echo hi\``,
    isSlow: true,
    isNotCompared: true,
    rounds: () => 1,
    prepare: (peer) => createAndEcho(peer, "first", true),
    sample: async (peer) => {
      const ms = await peer.call({ kind: "burst", vm: "burst", count: BURST });
      for (let i = 0; i < BURST; i++) await peer.call({ kind: "destroy", vm: `burst${i}` });
      await pause(SETTLE_MS);
      return ms;
    },
  },
];

/** Stream rows move that many bytes each. */
export function makeRows(streamBytes: number): readonly Row[] {
  return [
    ...machineRows,
    ...doorRows,
    ...userlandRows,
    ...nodeRows,
    ...toolkitRows,
    ...streamRows(streamBytes),
  ];
}
