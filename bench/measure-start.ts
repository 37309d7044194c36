// From nothing to the first answer: of a peer's process, and of the MCP server as a client starts it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpClient, ownBinFile, stopServers } from "./mcp-client.ts";
import type { Figure, Result } from "./measure-rows.ts";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";
import { summarize } from "./statistics.ts";

interface StartWork {
  readonly rounds: number;
  readonly signal: AbortSignal;
}

/** New processes in every round; peers in turn. The server's home has been used before. */
export async function measureStart(
  makePeers: () => readonly PeerProcess[],
  work: StartWork,
): Promise<readonly Result[]> {
  const home = await mkdtemp(join(tmpdir(), "agentos-mcp-bench-home-"));
  try {
    await startServer(home, { answer: new Samples(), warm: new Samples(), echo: new Samples() });
    return await measureRounds(home, makePeers, work);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measureRounds(
  home: string,
  makePeers: () => readonly PeerProcess[],
  { rounds, signal }: StartWork,
): Promise<readonly Result[]> {
  const library = new Samples();
  const answer = new Samples();
  const warm = new Samples();
  const echo = new Samples();
  for (let round = 0; round < rounds; round++) {
    for (const peer of makePeers()) {
      signal.throwIfAborted();
      await library.take(peer.name, async () => startPeer(peer));
    }
    signal.throwIfAborted();
    await startServer(home, { answer, warm, echo });
  }
  return [
    library.result("start", "process start → first `echo hi`"),
    answer.result("mcp-cold", "MCP: shim start → `initialize` answered, no server running"),
    echo.result("mcp-echo", "MCP: shim start → first `vm_exec` answered, no server running"),
    warm.result("mcp-warm", "MCP: shim start → `initialize` answered, server running"),
  ];
}

async function startPeer(peer: PeerProcess): Promise<number> {
  const start = performance.now();
  try {
    await peer.call({ kind: "createAndEcho", vm: "start" });
    return performance.now() - start;
  } finally {
    await peer.close();
  }
}

async function startServer(
  home: string,
  { answer, warm, echo }: Readonly<Record<"answer" | "warm" | "echo", Samples>>,
): Promise<void> {
  const start = performance.now();
  const first = new McpClient(ownBinFile, home);
  try {
    await answer.take("ours", async () => {
      await first.initialize();
      return performance.now() - start;
    });
    await echo.take("ours", async () => {
      await first.callTool("vm_create", { name: "bench" });
      await first.callTool("vm_exec", { vm_id: "bench", command: "echo hi" });
      return performance.now() - start;
    });
    await warm.take("ours", async () => startShim(home));
  } finally {
    await first.close();
    await stopServers(ownBinFile, home);
  }
}

async function startShim(home: string): Promise<number> {
  const start = performance.now();
  const client = new McpClient(ownBinFile, home);
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

  result(key: string, title: string): Result {
    const figures: Partial<Record<PeerName, Figure>> = {};
    for (const [name, values] of this.#values) {
      const summary = summarize(values);
      if (summary !== undefined) figures[name] = summary;
    }
    for (const [name, problem] of this.#problems) figures[name] = { problem };
    return { key, title, unit: "ms", figures };
  }
}
