// What the ways to a VM cost: a call of the library, of MCP, of a shell on a terminal, of a folder of the host.
import { setTimeout as pause } from "node:timers/promises";
import { makeWarmVm, type Row, SETTLE_MS } from "./row.ts";

const ECHO = { command: "echo hi", answer: "^hi\n$" };
const READS = 200;
const SMALL_FILE = { path: "/tmp/small.txt", text: "a small file\n" };
const FIND = { command: "find /opt/bench -type f -size +0 | wc -l", answer: "^2000\n$" };

export const doorRows: readonly Row[] = [
  {
    key: "wire",
    title: "an empty round trip to a VM (`files.stat`)",
    peers: ["ours"],
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: "wire", ...ECHO }),
    sample: (peer) => peer.call({ kind: "stat", vm: "wire", path: "/" }),
  },
  {
    key: "echo-less-wire",
    title: "warm `echo hi` through the library, less an empty round trip",
    peers: ["ours", "just-bash"],
    goals: [{ timesFaster: 1, than: "just-bash" }],
    isNotCompared: true,
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: "echo-less-wire", ...ECHO }),
    sample: async (peer) => {
      const echo = await peer.call({ kind: "exec", vm: "echo-less-wire", ...ECHO });
      if (peer.name !== "ours") return echo;
      await pause(SETTLE_MS);
      return echo - (await peer.call({ kind: "stat", vm: "echo-less-wire", path: "/" }));
    },
  },
  {
    key: "mcp-exec",
    title: "warm `vm_exec` of `echo hi` over MCP",
    peers: ["ours"],
    goals: [{ mostMs: 2.5 }],
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: "mcp-exec", door: "mcp", ...ECHO }),
    sample: (peer) => peer.call({ kind: "exec", vm: "mcp-exec", ...ECHO }),
  },
  {
    key: "mcp-read",
    title: `${READS} \`fs_read\`s of a small file over MCP`,
    peers: ["ours"],
    rounds: (_peer, most) => most,
    prepare: async (peer) => {
      await makeWarmVm(peer, { vm: "mcp-read", door: "mcp", ...ECHO });
      await peer.call({ kind: "write", vm: "mcp-read", ...SMALL_FILE });
    },
    sample: (peer) => peer.call({ kind: "read", vm: "mcp-read", ...SMALL_FILE, times: READS }),
  },
  {
    key: "exec-echo",
    title: "`agentos-mcp exec -- echo hi`, server running",
    peers: ["ours"],
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: "exec-echo", door: "exec", ...ECHO }),
    sample: (peer) => peer.call({ kind: "exec", vm: "exec-echo", ...ECHO }),
  },
  {
    key: "shell-echo",
    title: "`echo hi` typed in `agentos-mcp shell`",
    peers: ["ours"],
    rounds: (_peer, most) => most,
    prepare: (peer) =>
      makeWarmVm(peer, { vm: "shell-echo", door: "shell", command: "echo hi", answer: "^hi\n$" }),
    sample: (peer) => peer.call({ kind: "exec", vm: "shell-echo", ...ECHO }),
  },
  {
    key: "software-find",
    title: "`find` over 2,000 files of a host folder, in a new VM",
    peers: ["ours"],
    rounds: (_peer, most) => Math.min(10, most),
    sample: async (peer, round) => {
      const vm = `software-find${round}`;
      await peer.call({ kind: "createAndEcho", vm, parts: ["software"] });
      await pause(SETTLE_MS);
      const ms = await peer.call({ kind: "exec", vm, ...FIND });
      await peer.call({ kind: "destroy", vm });
      return ms;
    },
  },
  {
    key: "software-find-warm",
    title: "the same again",
    peers: ["ours"],
    rounds: (_peer, most) => most,
    prepare: (peer) => makeWarmVm(peer, { vm: "software-find-warm", parts: ["software"], ...FIND }),
    sample: (peer) => peer.call({ kind: "exec", vm: "software-find-warm", ...FIND }),
  },
];
