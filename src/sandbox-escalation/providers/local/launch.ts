// Starts a sandbox: the agent's binary as launcher on the host, bubblewrap, then the same binary as the first
// process inside, which talks to us over a socket it inherits. Nothing is left when any step fails.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { Duplex, Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import { AgentLink, type AgentLinkOwner } from "../../agent/agent-link.ts";
import { SandboxError, type SandboxLimits } from "../../provider.ts";
import type { HostIds } from "./host-ids.ts";
import type { Protection } from "./protections.ts";
import { describeView, INSIDE_ID, insidePaths } from "./sandbox-view.ts";
import { assembleSeccompFilter } from "./seccomp-filter.ts";

export interface LaunchOptions {
  readonly bubblewrap: string;
  readonly workspace: string;
  readonly home: string;
  /** A prepared root instead of the host's own tools. */
  readonly root: string | undefined;
  /** Whom to become first; undefined for who we are. */
  readonly become: HostIds | undefined;
  /** Files of control groups to join. */
  readonly joinFiles: readonly string[];
  readonly limits: SandboxLimits;
  /** Whether the kernel counts processes for each user namespace: else the limit would count the user's. */
  readonly limitsProcesses: boolean;
  readonly owner: AgentLinkOwner;
  readonly without: ReadonlySet<Protection>;
}

/** A sandbox that runs. */
export class RunningSandbox {
  readonly link: AgentLink;
  /** The agent's pid on the host. */
  readonly pid: number;
  /** What ended it, when bubblewrap has ended. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcess;

  constructor(parts: {
    child: ChildProcess;
    link: AgentLink;
    pid: number;
    exited: Promise<string>;
  }) {
    this.link = parts.link;
    this.pid = parts.pid;
    this.exited = parts.exited;
    this.#child = parts.child;
  }

  /** Resolves when no process of it is left. SandboxError "not-confirmed". */
  async end(): Promise<void> {
    // The agent ends with its socket, and bubblewrap reaps it; who hangs is killed.
    this.link.close();
    await endOrKill(this.#child, this.exited);
    for (let round = 0; isAlive(this.pid); round++) {
      if (round > 500)
        throw new SandboxError("not-confirmed", `Process ${this.pid} of the sandbox does not end.`);
      await delay(round < 20 ? 2 : 20);
    }
  }
}

/** SandboxError "failed" with bubblewrap's words; the signal's reason when aborted. */
export async function launch(
  options: LaunchOptions,
  signal?: AbortSignal,
): Promise<RunningSandbox> {
  signal?.throwIfAborted();
  const lent = new LentContents();
  const agent = openSync(findAgentBinary(), "r");
  let child: ChildProcess;
  try {
    const argv = describeLaunch(options, lent, lent.lendDescriptor(agent));
    child = spawn(findAgentBinary(), ["launch", ...argv], {
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", ...lent.stdio()],
      // A process group of its own, so that all of it can be killed while it starts.
      detached: true,
    });
  } finally {
    closeSync(agent);
  }
  const complaints = collectText(child.stdio[2]);
  const info = collectText(child.stdio[INFO]);
  const exited = describeExit(child, complaints);
  const socket = child.stdio[LINK];
  if (!(socket instanceof Duplex)) throw new SandboxError("failed", await exited);
  // Bubblewrap killed half-way leaves a process that waits for it; without its socket the agent ends at once.
  const abandon = () => socket.destroy();
  signal?.addEventListener("abort", abandon, { once: true });
  const timer = setTimeout(() => killGroup(child), START_LIMIT_MS);
  try {
    const link = new AgentLink(socket, options.owner);
    lent.write(child);
    await link.ready.catch(async (error: unknown) => {
      throw new SandboxError("failed", `${await exited}`, { cause: error });
    });
    return new RunningSandbox({ child, link, pid: readPid(info()), exited });
  } catch (error) {
    abandon();
    await endOrKill(child, exited);
    throw signal?.aborted === true ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abandon);
  }
}

async function endOrKill(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const timer = setTimeout(() => killGroup(child), END_PATIENCE_MS);
  await exited;
  clearTimeout(timer);
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** A machine that swaps takes seconds; more than this is a hang. */
const START_LIMIT_MS = 20_000;
const END_PATIENCE_MS = 1000;
/** The agent's socket, and where bubblewrap says the agent's pid. */
const LINK = 3;
const INFO = 4;

function describeLaunch(options: LaunchOptions, lent: LentContents, agent: number): string[] {
  const { become, without, limits } = options;
  const kept = [options.workspace, options.home];
  const shown = options.root === undefined ? kept : [...kept, options.root];
  const binds = become === undefined ? [] : shown;
  // The launcher shows its first directory as /tmp/0, and so on.
  const [workspace = "", home = "", reachedAt = ""] =
    become === undefined ? shown : shown.map((_, index) => `/tmp/${index}`);
  const root = options.root === undefined ? undefined : { path: options.root, reachedAt };
  const filter = without.has("seccomp")
    ? []
    : [
        "--seccomp",
        String(lent.lendBytes(assembleSeccompFilter(process.arch === "arm64" ? "arm64" : "x64"))),
      ];
  return [
    ...options.joinFiles.flatMap((file) => ["--cgroup", file]),
    ...binds.flatMap((path) => ["--bind", path]),
    ...(become === undefined ? [] : ["--ids", String(become.uid), String(become.gid)]),
    ...["--", options.bubblewrap],
    ...["--unshare-user", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    ...(without.has("own-processes") ? [] : ["--unshare-pid", "--as-pid-1"]),
    ...(without.has("own-network") ? [] : ["--unshare-net"]),
    ...["--uid", String(INSIDE_ID), "--gid", String(INSIDE_ID), "--hostname", "sandbox"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--info-fd", String(INFO)],
    ...describeView({
      workspace,
      home,
      root,
      limits,
      without,
      lend: (text) => lent.lendBytes(Buffer.from(text)),
    }),
    ...["--perms", "0555", "--ro-bind-data", String(agent), AGENT_PATH],
    ...(without.has("read-only-root") ? [] : ["--remount-ro", "/"]),
    ...["--chdir", insidePaths.workspace, ...filter, "--", AGENT_PATH, "serve"],
    options.limitsProcesses ? String(limits.pids + 1) : "-",
    String(limits.diskMb * 1024 * 1024),
    String(OPEN_FILES),
  ];
}

const AGENT_PATH = "/sandbox-agent";
/** What servers and build tools ask for; the usual hard limit of a login. */
const OPEN_FILES = 65_536;

/** What a child finds in descriptors: some opened by us, some written to it once it runs. */
class LentContents {
  readonly #entries: (number | Uint8Array)[] = [];

  lendBytes(bytes: Uint8Array): number {
    return FIRST_LENT + this.#entries.push(bytes) - 1;
  }

  lendDescriptor(descriptor: number): number {
    return FIRST_LENT + this.#entries.push(descriptor) - 1;
  }

  stdio(): (number | "pipe")[] {
    return this.#entries.map((entry) => (typeof entry === "number" ? entry : "pipe"));
  }

  write(child: ChildProcess): void {
    this.#entries.forEach((entry, index) => {
      const end = child.stdio[FIRST_LENT + index];
      if (typeof entry === "number" || !(end instanceof Writable)) return;
      // A launch that failed reads nothing: it says so itself.
      end.on("error", () => end.destroy());
      end.end(entry);
    });
  }
}

const FIRST_LENT = 5;

/** What was said so far, up to a limit. */
function collectText(stream: unknown): () => string {
  let text = "";
  if (stream instanceof Readable)
    stream.on("data", (bytes: Buffer) => {
      if (text.length < TEXT_LIMIT) text += bytes.toString("utf8", 0, TEXT_LIMIT);
    });
  return () => text;
}

const TEXT_LIMIT = 4096;

function describeExit(child: ChildProcess, complaints: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`The sandbox cannot be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      const said = complaints().trim();
      const how = signal === null ? `with status ${code}` : `by ${signal}`;
      resolve(said === "" ? `The sandbox ended ${how}.` : `The sandbox ended: ${said}`);
    });
  });
}

function readPid(info: string): number {
  const pid = Number(/"child-pid": (\d+)/.exec(info)?.[1] ?? 0);
  if (pid === 0) throw new SandboxError("failed", "Bubblewrap does not say what it started.");
  return pid;
}

/** The first process of a namespace becomes a zombie when all others of it are gone, see pid_namespaces(7). */
function isAlive(pid: number): boolean {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return false;
  }
}
