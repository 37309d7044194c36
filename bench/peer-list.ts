// Who takes part in the benchmark.
import { fileURLToPath } from "node:url";

export type PeerName = "ours" | "agentos" | "just-bash" | "host";

export interface PeerRow {
  readonly name: PeerName;
  readonly title: string;
  /** The file its process runs. */
  readonly entry: string;
  /** What npm installs for it, nothing for our own. */
  readonly npmPackage?: string;
  /** How it keeps VMs apart: what its figures pay for. */
  readonly says: string;
}

/** In the order in which each round asks them. */
export const peerList: readonly PeerRow[] = [
  {
    name: "ours",
    title: "agentos-mcp",
    entry: fileURLToPath(new URL("./peers/ours.ts", import.meta.url)),
    says: "a jailed process for each VM",
  },
  {
    name: "agentos",
    title: "agentOS 0.2.21",
    entry: fileURLToPath(new URL("./peers/agentos.ts", import.meta.url)),
    npmPackage: "@rivet-dev/agentos-core@0.2.21",
    says: "a V8 isolate for each process, all VMs in one sidecar process",
  },
  {
    name: "just-bash",
    title: "just-bash 3.4.2",
    entry: fileURLToPath(new URL("./peers/just-bash.ts", import.meta.url)),
    npmPackage: "just-bash@3.4.2",
    says: "an interpreter in its user's process: no processes, no isolation",
  },
  {
    name: "host",
    title: "host",
    entry: fileURLToPath(new URL("./peers/host.ts", import.meta.url)),
    says: "the machine's own bash and GNU tools",
  },
];
