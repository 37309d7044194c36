// From nothing to the first answer: of a peer's process, of the MCP server as a client starts it, and of VMs for which
// nothing is ready. Beside each, as the host's figure, bare Nodes that start in the same round.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { McpClient, stopServers } from "./mcp-client.ts";
import type { Figure, Result } from "./measure-rows.ts";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";
import type { Goal } from "./row.ts";
import { summarize } from "./statistics.ts";

interface StartWork {
  readonly rounds: number;
  readonly signal: AbortSignal;
}

const root = resolve(import.meta.dirname, "..");
const BURST = 50;

/** New processes in every round; peers in turn. The server's home has been used before. */
export async function measureStart(
  makePeers: () => readonly PeerProcess[],
  work: StartWork,
): Promise<readonly Result[]> {
  const directory = await mkdtemp(join(tmpdir(), "agentos-mcp-bench-start-"));
  try {
    const door = { home: join(directory, "home"), bin: await installInto(directory) };
    await startServer(door, new StartRows());
    return await measureRounds(door, makePeers, work);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** How a client starts the server. */
interface FrontDoor {
  readonly home: string;
  readonly bin: string;
}

/** The package as it is installed: without sources, which a checkout compares with its build at each start. */
async function installInto(directory: string): Promise<string> {
  const at = join(directory, "package");
  await mkdir(join(at, "scripts"), { recursive: true });
  for (const name of ["bin", "scripts/find-pinned-node.mjs", "scripts/pinned-node-packages.mjs"])
    await cp(join(root, name), join(at, name), { recursive: true });
  for (const name of ["dist", "node_modules", "package.json"])
    await symlink(join(root, name), join(at, name));
  return join(at, "bin/agentos-mcp.mjs");
}

class StartRows {
  readonly library = new Samples();
  readonly answer = new Samples();
  readonly echo = new Samples();
  readonly warm = new Samples();
  readonly create = new Samples();
  readonly burst = new Samples();

  results(): readonly Result[] {
    const most = (timesSlower: number): readonly Goal[] => [{ timesSlower, than: "host" }];
    return [
      this.library.result("start", "process start → first `echo hi`"),
      this.answer.result(
        "mcp-cold",
        "MCP: shim start → `initialize` answered, no server running (host: two bare Nodes, one after the other)",
        most(2),
      ),
      this.echo.result(
        "mcp-echo",
        "MCP: shim start → first `vm_exec` answered, no server running (host: the same two)",
        most(4),
      ),
      this.warm.result(
        "mcp-warm",
        "MCP: shim start → `initialize` answered, server running (host: a bare Node)",
        most(2),
      ),
      this.create.result(
        "create-cold",
        "create VM → first `echo hi`, no cell waiting (host: a bare Node)",
        most(2),
      ),
      this.burst.result(
        "burst-cold",
        `${BURST} VMs at once: create + \`echo hi\` (host: ${BURST} bare Nodes at once)`,
        most(2.5),
      ),
    ];
  }
}

async function measureRounds(
  door: FrontDoor,
  makePeers: () => readonly PeerProcess[],
  { rounds, signal }: StartWork,
): Promise<readonly Result[]> {
  const rows = new StartRows();
  for (let round = 0; round < rounds; round++) {
    for (const peer of makePeers()) {
      signal.throwIfAborted();
      await rows.library.take(peer.name, async () => startPeer(peer, rows));
    }
    signal.throwIfAborted();
    await startServer(door, rows);
  }
  return rows.results();
}

/** How long bare Nodes take, started one after the other. */
async function startBareNodes(count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++)
    await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "close");
  return performance.now() - start;
}

async function startBareNodesAtOnce(count: number): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, () => startBareNodes(1)));
  return performance.now() - start;
}

async function startPeer(peer: PeerProcess, rows: StartRows): Promise<number> {
  const start = performance.now();
  try {
    await peer.call({ kind: "createAndEcho", vm: "start" });
    const took = performance.now() - start;
    if (peer.name === "ours") await startVms(peer, rows);
    return took;
  } finally {
    await peer.close();
  }
}

/** VMs in a process that has had one. */
async function startVms(peer: PeerProcess, { create, burst }: StartRows): Promise<void> {
  const unprepared = { kind: "createAndEcho", isAhead: false } as const;
  await peer.call({ ...unprepared, vm: "first" });
  await create.take("host", () => startBareNodes(1));
  await create.take("ours", () => peer.call({ ...unprepared, vm: "cold" }));
  await burst.take("host", () => startBareNodesAtOnce(BURST));
  await burst.take("ours", () => peer.call({ kind: "burst", vm: "burst", count: BURST }));
}

async function startServer({ bin, home }: FrontDoor, rows: StartRows): Promise<void> {
  const bare = await startBareNodes(2);
  await rows.answer.take("host", async () => bare);
  await rows.echo.take("host", async () => bare);
  const start = performance.now();
  const first = new McpClient(bin, home);
  try {
    await rows.answer.take("ours", async () => {
      await first.initialize();
      return performance.now() - start;
    });
    await rows.echo.take("ours", async () => {
      await first.callTool("vm_exec", { command: "echo hi" });
      return performance.now() - start;
    });
    await rows.warm.take("host", () => startBareNodes(1));
    await rows.warm.take("ours", async () => startShim({ bin, home }));
  } finally {
    await first.close();
    await stopServers(bin, home);
  }
}

async function startShim({ bin, home }: FrontDoor): Promise<number> {
  const start = performance.now();
  const client = new McpClient(bin, home);
  try {
    await client.initialize();
    return performance.now() - start;
  } finally {
    await client.close();
  }
}

/** The samples of one row. A peer that fails once has no figure but the reason. */
class Samples {
  readonly #values = new Map<PeerName, number[]>();
  readonly #problems = new Map<PeerName, string>();

  async take(peer: PeerName, sample: () => Promise<number>): Promise<void> {
    try {
      this.#values.set(peer, [...(this.#values.get(peer) ?? []), await sample()]);
    } catch (error) {
      this.#problems.set(peer, error instanceof Error ? error.message : String(error));
    }
  }

  result(key: string, title: string, goals?: readonly Goal[]): Result {
    const figures: Partial<Record<PeerName, Figure>> = {};
    for (const [name, values] of this.#values) {
      const summary = summarize(values);
      if (summary !== undefined) figures[name] = summary;
    }
    for (const [name, problem] of this.#problems) figures[name] = { problem };
    return { key, title, unit: "ms", figures, ...(goals && { goals }) };
  }
}
