/** Puts the parts of a VM's kernel together and nothing else. */
import { FdTable } from "./fd/fd-table.ts";
import type { KernelHost } from "./host.ts";
import { Limits, type LimitValues } from "./limits/limits.ts";
import { DEFAULT_MEMORY_MB, type VmMemory } from "./limits/vm-memory.ts";
import { LockTable } from "./locks/lock-table.ts";
import { AuditLog } from "./permissions/audit-log.ts";
import { type Credentials, ROOT } from "./permissions/credentials.ts";
import { type PermissionsConfig, Policy } from "./permissions/policy.ts";
import { readableEnvironment } from "./permissions/readable-environment.ts";
import { FifoTable } from "./pipe/fifo.ts";
import { CpuMeter } from "./process/cpu-meter.ts";
import type { Executor } from "./process/executor.ts";
import { HeldTexts } from "./process/held-texts.ts";
import { jobControl } from "./process/job-control.ts";
import { LoadAverage } from "./process/load-average.ts";
import { Process } from "./process/process.ts";
import { ProcessTable } from "./process/process-table.ts";
import { signalGroup } from "./process/send-signal.ts";
import { SignalState } from "./process/signal-state.ts";
import { Turns } from "./process/turns.ts";
import { PtyTable } from "./pty/pty-table.ts";
import { SocketTable } from "./socket/socket-table.ts";
import { bindSys, type Sys } from "./syscalls/sys.ts";
import type { Uname } from "./syscalls/system.ts";
import { type TraceOptions, type TraceOutput, Tracer } from "./trace/tracer.ts";
import type { FileSystem } from "./vfs/file-system.ts";
import { Vfs } from "./vfs/vfs.ts";
import { WatchTable } from "./watch/watch-table.ts";

export interface KernelOptions {
  readonly host: KernelHost;
  /** Makes the root; what is written into it counts against the VM's limits. */
  readonly root: (limits: Limits) => FileSystem;
  readonly executors: readonly Executor[];
  readonly limits?: Partial<LimitValues>;
  /** Counted by nobody but the kernel's files unless the host does. */
  readonly memory?: VmMemory;
  readonly permissions?: PermissionsConfig;
  readonly hostname?: string;
  readonly env?: ReadonlyMap<string, string>;
}

export interface KernelTrace extends Pick<TraceOptions, "calls" | "shownBytes"> {
  readonly pid?: number | undefined;
}

/**
 * One VM's kernel. pid 1 is the host's: root, free of the policy, and the parent of whatever the
 * host starts. Fails with EINVAL for a policy or limit that cannot be.
 */
export class Kernel {
  readonly host: KernelHost;
  readonly limits: Limits;
  readonly memory: VmMemory;
  readonly policy: Policy;
  readonly audit: AuditLog;
  readonly vfs: Vfs;
  readonly processes = new ProcessTable();
  readonly executors: readonly Executor[];
  readonly heldTexts: HeldTexts;
  readonly fifos: FifoTable;
  readonly locks: LockTable;
  readonly ptys: PtyTable;
  readonly sockets: SocketTable;
  readonly turns: Turns;
  readonly cpu: CpuMeter;
  readonly load: LoadAverage;
  /** CPU time of the processes that have ended. */
  endedCpuMs = 0;
  readonly uname: Uname;
  /** When it was made, on the monotonic clock. */
  readonly bootMs: number;
  readonly init: Process;
  #lastIno = 0;

  constructor(options: KernelOptions) {
    const { host } = options;
    this.host = host;
    this.limits = new Limits(options.limits ?? {}, (warning) => host.warnLimit(warning));
    this.memory = options.memory ?? {
      totalBytes: DEFAULT_MEMORY_MB * 1024 * 1024,
      usedBytes: () => this.limits.used("maxFilesystemBytes"),
    };
    this.policy = new Policy(options.permissions);
    this.audit = new AuditLog(this.limits.values.maxAuditRecords);
    this.vfs = new Vfs(options.root(this.limits), this.limits, new WatchTable(this.limits));
    this.executors = options.executors;
    this.heldTexts = new HeldTexts(this.limits);
    this.fifos = new FifoTable(this.limits);
    this.locks = new LockTable(this.limits);
    this.ptys = new PtyTable({
      limits: this.limits,
      jobs: jobControl(this.processes),
      now: () => host.now(),
      monotonic: () => host.monotonic(),
    });
    this.sockets = new SocketTable({
      limits: this.limits,
      now: () => host.now(),
      nextIno: () => this.nextAnonymousIno(),
      seed: randomNumber(host),
    });
    this.turns = new Turns(host);
    this.cpu = new CpuMeter(host);
    this.load = new LoadAverage(host.monotonic());
    this.uname = unameOf(options.hostname ?? "agentos");
    this.bootMs = host.monotonic();
    // Nobody in the VM holds what guests may not read: root can look into every process.
    const env = readableEnvironment(this.policy, options.env ?? new Map());
    this.init = this.#makeTrusted(undefined, ROOT, env);
  }

  /** The system calls of one process. */
  sysOf(process: Process): Sys {
    return bindSys(process);
  }

  /** CPU time of all processes that ever were. */
  totalCpuMs(): number {
    const running = this.processes.list().filter(({ state }) => state !== "zombie");
    return running.reduce((sum, { use }) => sum + use.cpuMs, this.endedCpuMs);
  }

  /** What the kernel itself sends: nobody's permission is asked. */
  signal(targets: readonly Process[], signal: number): void {
    signalGroup(targets, signal);
  }

  /**
   * Traces for the host: one process and what it starts, or all of them, until `stop` or, with a pid, until they have
   * ended. ESRCH.
   */
  trace(output: TraceOutput, { pid, calls, shownBytes }: KernelTrace): Tracer {
    const targets = pid === undefined ? this.processes.list() : [this.processes.get(pid)];
    const tracer = new Tracer(output, { follows: true, calls, shownBytes, uid: ROOT.uid });
    for (const process of targets) tracer.attach(process);
    return tracer;
  }

  /** An inode number for what has no file system: pipes, sockets, watches. */
  nextAnonymousIno(): number {
    this.#lastIno += 1;
    return this.#lastIno;
  }

  /**
   * A process in which the host acts as somebody: free of the policy and of the limit of processes,
   * bound by owners and modes. It runs nothing; its user ends it with `exit`.
   */
  enterAs(credentials: Credentials): Process {
    return this.#makeTrusted(this.init, credentials, this.init.env);
  }

  #makeTrusted(
    parent: Process | undefined,
    credentials: Credentials,
    env: ReadonlyMap<string, string>,
  ): Process {
    const pid = this.processes.nextPid();
    if (parent === undefined) this.limits.charge("maxProcesses");
    const process = new Process({
      kernel: this,
      pid,
      parent,
      fds: new FdTable(this.limits),
      credentials,
      cwd: this.vfs.mounts.root,
      umask: 0o022,
      signals: new SignalState(),
      session: { sid: pid, terminal: undefined },
      pgid: pid,
      argv: [parent === undefined ? "init" : "host"],
      env,
      isTrusted: true,
    });
    // Nobody waits for what the host does itself.
    process.isOrphan = parent !== undefined;
    this.processes.add(process);
    return process;
  }
}

function randomNumber(host: KernelHost): number {
  const bytes = new Uint8Array(2);
  host.random(bytes);
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
}

/** What uname(2) says. The release is the Linux whose calls are followed. */
function unameOf(nodename: string): Uname {
  return {
    sysname: "Linux",
    nodename,
    release: "6.12.0-agentos",
    version: "#1 agentOS MCP",
    machine: "x86_64",
  };
}
