// What the engine is asked for: a container that holds our agent, one directory of this host, and nothing else.
import type { SandboxSpec } from "../../provider.ts";
import { labelsOf } from "../agent-machine/check-spec.ts";

export interface ContainerOptions {
  readonly spec: SandboxSpec;
  readonly image: string;
  /** The refused system calls, as the engine wants them: JSON, or a file's path. */
  readonly seccomp: string;
  /** Who processes are, as the container numbers it. */
  readonly user: { readonly uid: number; readonly gid: number };
  /** The agent's binary on this host. */
  readonly agent: string;
  /** Whether file systems in memory can belong to somebody; Podman's cannot. */
  readonly canOwnMounts: boolean;
  /** Kept as a label, for who attaches later. */
  readonly record: string;
  /** Another runtime than the engine's own, as `runsc` of gVisor. */
  readonly runtime: string | undefined;
  /** The engine's rootful and shifts ids: the shared directory needs the host's. */
  readonly usesHostIds: boolean;
}

export const RECORD_LABEL = "agentos-mcp.sandbox";
export const insidePaths = {
  workspace: "/workspace",
  /** What it is called in VMs. */
  alsoWorkspace: "/sandbox",
  home: "/home/user",
} as const;
const AGENT_PATH = "/sandbox-agent";

export function describeContainer(options: ContainerOptions): Record<string, unknown> {
  const { spec, user } = options;
  return {
    Image: options.image,
    Hostname: "sandbox",
    User: `${user.uid}:${user.gid}`,
    WorkingDir: insidePaths.workspace,
    Entrypoint: [
      AGENT_PATH,
      "serve",
      "-",
      String(mebibytes(spec.limits.diskMb)),
      OPEN_FILES,
      "pipes",
    ],
    Cmd: [],
    Healthcheck: { Test: ["NONE"] },
    // When we are gone its stdin ends, the agent with it, and so the container.
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    NetworkDisabled: spec.network !== "full",
    Labels: {
      ...labelsOf(spec),
      [RECORD_LABEL]: options.record,
    },
    HostConfig: describeHost(options),
  };
}

function describeHost(options: ContainerOptions): Record<string, unknown> {
  const { limits, network, workspace } = options.spec;
  const memory = mebibytes(limits.memoryMb);
  const temporary = Math.min(limits.diskMb, Math.ceil(limits.memoryMb / 2));
  const { uid, gid } = options.user;
  const owned = options.canOwnMounts ? `mode=0700,uid=${uid},gid=${gid}` : "mode=1777";
  return {
    NetworkMode: network === "full" ? "bridge" : "none",
    PublishAllPorts: false,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges:true", `seccomp=${options.seccomp}`],
    Privileged: false,
    ReadonlyRootfs: true,
    IpcMode: "private",
    CgroupnsMode: "private",
    ...(options.usesHostIds ? { UsernsMode: "host" } : {}),
    ...(options.runtime === undefined ? {} : { Runtime: options.runtime }),
    PidsLimit: Math.ceil(limits.pids) + AGENT_PIDS,
    // The same for both: no swap.
    Memory: memory,
    MemorySwap: memory,
    NanoCpus: Math.round(limits.cpus * 1e9),
    ShmSize: mebibytes(Math.min(temporary, 64)),
    Tmpfs: {
      "/tmp": `rw,exec,nosuid,nodev,mode=1777,size=${temporary}m`,
      [insidePaths.home]: `rw,exec,nosuid,nodev,${owned},size=${temporary}m`,
    },
    // Unlike Binds, a source that the engine does not see is an error and no new directory.
    Mounts: [
      { ...bindOf(workspace, insidePaths.workspace), ReadOnly: false },
      { ...bindOf(workspace, insidePaths.alsoWorkspace), ReadOnly: false },
      { ...bindOf(options.agent, AGENT_PATH), ReadOnly: true },
    ],
    // What the agent says to us would fill the host's disk.
    LogConfig: { Type: "none", Config: {} },
    RestartPolicy: { Name: "no" },
    AutoRemove: false,
  };
}

function bindOf(source: string, target: string): Record<string, unknown> {
  return { Type: "bind", Source: source, Target: target, BindOptions: { Propagation: "rprivate" } };
}

function mebibytes(count: number): number {
  return Math.ceil(count) * 1024 * 1024;
}

/** The agent, and a keeper for each process that the limit is meant for. */
const AGENT_PIDS = 1;
/** What servers and build tools ask for. */
const OPEN_FILES = "65536";
