// A function of the host, called from a VM: by command, and in a loop from JavaScript.
import { makeWarmVm, type Row } from "./row.ts";

const peers = ["ours", "agentos"] as const;
const COMMAND = "agentos-weather forecast --city Paris";
const ANSWER = '"degrees":21';
const CALLS = 1000;

/** The mean of all calls; ours are a module's, agentOS's a global's. */
const script = `const tools = globalThis.weather ?? (await import("agentos")).default.weather;
const start = performance.now();
for (let i = 0; i < ${CALLS}; i++) {
  const { degrees } = await tools.forecast({ city: "Paris" });
  if (degrees !== 21) throw new Error("no forecast");
}
console.log((performance.now() - start) / ${CALLS});
`;

/** Calls in one run of the shell: what a tool's command costs beside others, in the VM. */
const COMMANDS = 20;
const LOOP = `for i in ${Array.from({ length: COMMANDS }, (_, at) => at + 1).join(" ")}; do ${COMMAND}; done`;

export const toolkitRows: readonly Row[] = [
  {
    key: "toolkit-cli",
    title: `\`${COMMAND}\`, mean of ${COMMANDS} in a shell's loop`,
    goals: [{ mostMs: 3 }],
    peers,
    rounds: (peer, most) => Math.min(peer === "agentos" ? 3 : most, most),
    prepare: (peer) =>
      makeWarmVm(peer, { vm: "toolkit-cli", command: COMMAND, answer: ANSWER, parts: ["tools"] }),
    sample: async (peer) =>
      (await peer.call({ kind: "exec", vm: "toolkit-cli", command: LOOP, answer: ANSWER })) /
      COMMANDS,
  },
  {
    key: "toolkit-exec",
    title: `\`${COMMAND}\` by exec`,
    goals: [{ timesFaster: 50, than: "agentos" }],
    peers,
    rounds: (peer, most) => Math.min(peer === "agentos" ? 10 : most, most),
    prepare: (peer) =>
      makeWarmVm(peer, { vm: "toolkit-exec", command: COMMAND, answer: ANSWER, parts: ["tools"] }),
    sample: (peer) =>
      peer.call({ kind: "exec", vm: "toolkit-exec", command: COMMAND, answer: ANSWER }),
  },
  {
    key: "toolkit-js",
    title: `a tool's call from JavaScript, mean of ${CALLS} in a loop`,
    goals: [{ mostMs: 1 }],
    peers,
    rounds: (peer, most) => Math.min(peer === "agentos" ? 3 : 10, most),
    prepare: (peer) =>
      makeWarmVm(peer, {
        vm: "toolkit-js",
        command: "echo hi",
        answer: "^hi\n$",
        parts: ["tools"],
      }),
    sample: (peer) => peer.call({ kind: "runPrinted", vm: "toolkit-js", code: script }),
  },
];
