// Starts a sandbox: the agent's binary as launcher on the host, bubblewrap, then the same binary as the first
// process inside, which talks to us over a socket it inherits. Nothing is left when any step fails.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Duplex, Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { findAgentBinary } from "../../agent/agent-binary.ts";
import { AgentLink, type AgentLinkOwner } from "../../agent/agent-link.ts";
import { SandboxError } from "../../provider.ts";
import { mapIds } from "./id-maps.ts";
import { describeLaunch, type LaunchWish } from "./launch-words.ts";
import { LentContents } from "./lent-contents.ts";

export interface LaunchOptions extends LaunchWish {
  readonly owner: AgentLinkOwner;
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
  async end(why?: string): Promise<void> {
    // The agent ends with its socket, and bubblewrap reaps it; who hangs is killed.
    this.link.close(why);
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
  const { child, begin } = startLauncher(options);
  const complaints = collectText(child.stdio[2]);
  const info = collectText(child.stdio[INFO]);
  const exited = describeExit(child, () => hidePlaces(complaints(), options));
  const socket = child.stdio[LINK];
  if (!(socket instanceof Duplex)) throw new SandboxError("failed", await exited);
  // Bubblewrap killed half-way leaves a process that waits for it; without its socket the agent ends at once.
  const abandon = () => socket.destroy();
  signal?.addEventListener("abort", abandon, { once: true });
  const timer = setTimeout(() => killGroup(child), START_LIMIT_MS);
  try {
    const link = new AgentLink(socket, options.owner);
    await begin();
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

interface Launcher {
  readonly child: ChildProcess;
  /** Gives it what it reads, and the ids that it waits for. */
  readonly begin: () => Promise<void>;
}

function startLauncher(options: LaunchOptions): Launcher {
  const { root } = options;
  const lent = new LentContents();
  const agent = openSync(findAgentBinary(), "r");
  try {
    const users = root === undefined ? undefined : lent.lendChannel();
    const descriptors = { lent, users, agent: lent.lendDescriptor(agent), info: INFO };
    const argv = describeLaunch(options, descriptors);
    const child = spawn(findAgentBinary(), ["launch", ...argv], {
      cwd: "/",
      env: {},
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", ...lent.stdio()],
      // A process group of its own, so that all of it can be killed while it starts.
      detached: true,
    });
    const begin = async () => {
      lent.write(child);
      if (root !== undefined && users !== undefined) await mapIds(child, users, root.ids);
    };
    return { child, begin };
  } finally {
    closeSync(agent);
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

/** A VM reads why its sandbox did not start: where things are on this host is none of its business. */
function hidePlaces(words: string, { workspace, home, root, joinFiles }: LaunchOptions): string {
  const changes = root === undefined ? [] : [root.changes, ...root.layers];
  return [workspace, home, ...changes, ...joinFiles]
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, path) => text.replaceAll(path, basename(path)), words);
}

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
