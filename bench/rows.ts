// The rows of the table: what is asked of every peer, how often, and what we want to reach.
import { setTimeout as pause } from "node:timers/promises";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";

/** How many times faster than agentOS we want to be, see issue 2. */
interface Goal {
  readonly timesFaster: number;
}

export interface Row {
  readonly key: string;
  readonly title: string;
  readonly goal?: Goal;
  /** Takes more than seconds; `--quick` leaves it out. */
  readonly isSlow?: boolean;
  /** Who is asked at all; everybody when absent. */
  readonly only?: PeerName;
  /** How many rounds this peer takes part in, of the `most` that were asked for. */
  readonly rounds: (peer: PeerName, most: number) => number;
  /** Not timed, once for each peer before the first round. */
  readonly prepare?: (peer: PeerProcess) => Promise<unknown>;
  /** One round; the figure is milliseconds. */
  readonly sample: (peer: PeerProcess, round: number) => Promise<number>;
}

const BIG_FILE = "/tmp/big.txt";
const BIG_FILE_BYTES = 10 * 1024 * 1024;
const BIG_PIPE_LIMIT_MS = 120_000;
const BURST = 50;

/** Cells that replace the ones taken start now, and shall not run in another's measurement. */
const SETTLE_MS = 400;

const WARM_UP_ROUNDS = 10;

/** A VM that has run commands before. Each row has its own, so that a row can be run alone. */
async function makeWarmVm(
  peer: PeerProcess,
  { vm, command, answer }: Readonly<Record<"vm" | "command" | "answer", string>>,
): Promise<void> {
  await peer.call({ kind: "createAndEcho", vm, isAhead: true });
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await peer.call({ kind: "exec", vm, command, answer });
  await pause(SETTLE_MS);
}

function warmRow(row: Pick<Row, "key" | "title" | "goal">, command: string, answer: string): Row {
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

export const rows: readonly Row[] = [
  {
    key: "create",
    title: "create VM → first `echo hi`",
    goal: { timesFaster: 20 },
    rounds: (_peer, most) => most,
    prepare: (peer) => createAndEcho(peer, "first", true),
    sample: (peer, round) => createAndEcho(peer, `create${round}`, true),
  },
  {
    key: "create-bare",
    title: "the same, no cell waiting",
    only: "ours",
    rounds: (_peer, most) => Math.ceil(most / 2),
    prepare: (peer) => createAndEcho(peer, "first", false),
    sample: (peer, round) => createAndEcho(peer, `bare${round}`, false),
  },
  warmRow({ key: "echo", title: "warm `echo hi`", goal: { timesFaster: 50 } }, "echo hi", "^hi\n$"),
  warmRow({ key: "ls", title: "`ls -la /`" }, "ls -la /", "\\bbin\\b[^]*\\btmp\\b"),
  warmRow(
    {
      key: "pipeline",
      title: "`seq 1 1000 \\| sort -rn \\| head -3`",
      goal: { timesFaster: 50 },
    },
    "seq 1 1000 | sort -rn | head -3",
    "^1000\n999\n998\n$",
  ),
  {
    key: "big-pipe",
    title: "10 MB `cat file \\| wc -l`",
    goal: { timesFaster: 100 },
    isSlow: true,
    rounds: (peer, most) => (peer === "agentos" ? 1 : Math.min(5, most)),
    prepare: async (peer) => {
      await makeWarmVm(peer, { vm: "big-pipe", command: "echo hi | cat", answer: "^hi\n$" });
      await peer.call({
        kind: "writeLines",
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
