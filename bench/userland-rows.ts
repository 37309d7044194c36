// The shell and the programs inside a VM, beside just-bash and the host's own tools.
import type { PeerName } from "./peer-list.ts";
import { type Goal, makeWarmVm, type Row } from "./row.ts";

const FILE = "/tmp/words.txt";
const FILE_BYTES = 10 * 1024 * 1024;
const COMMAND_LIMIT_MS = 170_000;

/** One command as often as this: what a single one takes is below what a clock shows. */
const REPEATS = 100;

function repeatedRow(
  row: Pick<Row, "key" | "title" | "goals">,
  command: string,
  answer: string,
): Row {
  const loop = `i=0; while [ $i -lt ${REPEATS} ]; do ${command}; i=$((i+1)); done | tail -n 1`;
  return {
    ...row,
    peers: ["ours", "just-bash", "host"],
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: row.key, command: loop, answer }),
    sample: async (peer) =>
      (await peer.call({ kind: "exec", vm: row.key, command: loop, answer })) / REPEATS,
  };
}

/** At most five times as long as the host's tool, and at least five times as fast as agentOS. */
const toolGoals: readonly Goal[] = [
  { timesSlower: 5, than: "host" },
  { timesFaster: 5, than: "agentos" },
];

/** A tool over 10 MB of text. */
function toolRow(key: string, command: string): Row {
  return {
    key,
    title: `10 MB \`${command.replace(FILE, "file").replaceAll("|", "\\|")}\``,
    goals: toolGoals,
    isSlow: true,
    peers: ["ours", "agentos", "just-bash", "host"],
    rounds: (peer, most) => (peer === "agentos" || peer === "just-bash" ? 1 : Math.min(10, most)),
    prepare: async (peer) => {
      await makeWarmVm(peer, { vm: key, command: "echo hi | cat", answer: "^hi\n$" });
      await peer.call({
        kind: "writeLines",
        text: "words",
        vm: key,
        path: FILE,
        bytes: FILE_BYTES,
      });
    },
    sample: (peer) => peer.call({ kind: "exec", vm: key, command, answer: "." }, COMMAND_LIMIT_MS),
  };
}

/** 300 MB/s. */
const PIPE_FILES = 10;
const PIPE_MOST_MS = (PIPE_FILES * FILE_BYTES) / 300_000;
const pipePeers: readonly PeerName[] = ["ours", "host"];

export const userlandRows: readonly Row[] = [
  repeatedRow(
    {
      key: "sh-echo",
      title: "`sh -c 'echo hi'` inside the VM",
      goals: [{ mostMs: 0.5 }, { timesFaster: 1, than: "just-bash" }],
    },
    "sh -c 'echo hi'",
    "^hi\n$",
  ),
  repeatedRow(
    {
      key: "ls-grep-wc",
      title: "`ls / \\| grep bin \\| wc -l` inside the VM",
      goals: [{ timesFaster: 1, than: "just-bash" }],
    },
    "ls / | grep bin | wc -l",
    "^\\s*\\d+\n$",
  ),
  toolRow("sort", `sort ${FILE} | tail -n 1`),
  toolRow("grep", `grep -c error ${FILE}`),
  toolRow("sed", `sed 's/foo/bar/' ${FILE} | tail -n 1`),
  toolRow("awk", `awk '{ sum += $1; count[$2]++ } END { print sum, count["foo"] }' ${FILE}`),
  toolRow("wc", `wc ${FILE}`),
  {
    key: "pipe-rate",
    title: "100 MB `cat file… \\| cat \\| cat \\| wc -c`",
    goals: [{ mostMs: PIPE_MOST_MS }],
    peers: pipePeers,
    rounds: (_peer, most) => Math.min(10, most),
    prepare: async (peer) => {
      await makeWarmVm(peer, { vm: "pipe-rate", command: "echo hi | cat", answer: "^hi\n$" });
      await peer.call({
        kind: "writeLines",
        text: "words",
        vm: "pipe-rate",
        path: FILE,
        bytes: FILE_BYTES,
      });
    },
    sample: (peer) =>
      peer.call({
        kind: "exec",
        vm: "pipe-rate",
        command: `cat ${Array.from({ length: PIPE_FILES }, () => FILE).join(" ")} | cat | cat | wc -c`,
        answer: "^\\s*10\\d{7}\n$",
      }),
  },
];
