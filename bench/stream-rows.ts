// Bytes through every stream that a user has: output, input, terminals and host commands, by the
// library and by the command line. Each row moves the same number of bytes and counts them.
import type { PeerName } from "./peer-list.ts";
import type { PeerCall, VmSpec } from "./peers/peer-protocol.ts";
import { makeWarmVm, type Row } from "./row.ts";

/** On a busy machine, at worst. */
const SLOWEST_BYTES_PER_MS = 1000;
const LEAST_LIMIT_MS = 60_000;
const ROUNDS = 5;

/** 63 characters and the newline, which a terminal makes two bytes. */
const LINE = "0123456789".repeat(7).slice(0, 63);

interface Stream {
  readonly key: string;
  readonly title: string;
  readonly peers?: readonly PeerName[];
  readonly spec?: VmSpec;
  readonly call: (vm: string) => PeerCall;
}

function streamRow({ key, title, peers = ["ours"], spec, call }: Stream, limitMs: number): Row {
  return {
    key,
    title,
    peers,
    isSlow: true,
    rounds: (_peer, most) => Math.min(ROUNDS, most),
    prepare: (peer) => makeWarmVm(peer, { vm: key, command: "echo hi", answer: "^hi\n$", ...spec }),
    sample: (peer) => peer.call(call(key), limitMs),
  };
}

/** `bytes` is a multiple of 64. */
export function streamRows(bytes: number): readonly Row[] {
  const size = `${bytes / 1024 ** 2} MB`;
  const zeros = `head -c ${bytes} /dev/zero`;
  const lines = `yes ${LINE} | head -c ${bytes}`;
  const counted = `^${bytes}\n$`;
  const commands: VmSpec = { parts: ["commands"] };
  const streams: readonly Stream[] = [
    {
      key: "stream-library",
      title: `${size} of output through the library`,
      peers: ["ours", "host"],
      call: (vm) => ({ kind: "output", vm, command: zeros, bytes }),
    },
    {
      key: "stream-exec",
      title: `${size} of output through \`agentos-mcp exec\``,
      spec: { door: "exec" },
      call: (vm) => ({ kind: "output", vm, command: zeros, bytes }),
    },
    {
      key: "stream-terminal",
      title: `${size} of output on a terminal of the library`,
      peers: ["ours", "host"],
      call: (vm) => ({ kind: "output", vm, command: zeros, bytes, isOnTerminal: true }),
    },
    {
      key: "stream-terminal-lines",
      title: `${size} of lines on a terminal of the library`,
      call: (vm) => ({
        kind: "output",
        vm,
        command: lines,
        bytes: (bytes / (LINE.length + 1)) * (LINE.length + 2),
        isOnTerminal: true,
      }),
    },
    {
      key: "stream-shell",
      title: `${size} of output in \`agentos-mcp shell\``,
      spec: { door: "shell" },
      call: (vm) => ({ kind: "output", vm, command: zeros, bytes, isOnTerminal: true }),
    },
    {
      key: "stream-host-command-out",
      title: `${size} of output of a host command`,
      spec: commands,
      call: (vm) => ({ kind: "exec", vm, command: `bytes-out ${bytes} | wc -c`, answer: counted }),
    },
    {
      key: "stream-host-command-in",
      title: `${size} of input of a host command`,
      spec: commands,
      call: (vm) => ({ kind: "exec", vm, command: `${zeros} | bytes-in`, answer: counted }),
    },
    {
      key: "stream-stdin-library",
      title: `${size} of stdin through the library`,
      peers: ["ours", "host"],
      call: (vm) => ({ kind: "input", vm, command: "wc -c", bytes }),
    },
    {
      key: "stream-stdin-exec",
      title: `${size} of stdin through \`agentos-mcp exec\``,
      spec: { door: "exec" },
      call: (vm) => ({ kind: "input", vm, command: "wc -c", bytes }),
    },
  ];
  const limitMs = Math.max(LEAST_LIMIT_MS, bytes / SLOWEST_BYTES_PER_MS);
  return streams.map((stream) => streamRow(stream, limitMs));
}
