// What a VM takes of the host's memory after one command, and what is left of it when it is gone.
import { setTimeout as pause } from "node:timers/promises";
import type { Figure, Result } from "./measure-rows.ts";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";
import type { TreeMemory } from "./process-tree.ts";

const VMS = 10;
const MEGABYTE = 1024 * 1024;
const READINGS_LIMIT = 20;
const READING_MS = 300;

/** Two rows, per VM. Each peer is a fresh process that has had one VM already. */
export async function measureMemory(
  makePeers: () => readonly PeerProcess[],
): Promise<readonly Result[]> {
  const used: Partial<Record<PeerName, Figure>> = {};
  const kept: Partial<Record<PeerName, Figure>> = {};
  for (const peer of makePeers()) {
    try {
      const { usedBytes, keptBytes } = await measurePeer(peer);
      used[peer.name] = figureOf(usedBytes);
      kept[peer.name] = figureOf(keptBytes);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      used[peer.name] = { problem };
      kept[peer.name] = { problem };
    } finally {
      await peer.close();
    }
  }
  return [
    { key: "memory", title: "memory per VM after one command (PSS)", unit: "MB", figures: used },
    { key: "memory-kept", title: "of that left once it is destroyed", unit: "MB", figures: kept },
  ];
}

async function measurePeer(peer: PeerProcess): Promise<{ usedBytes: number; keptBytes: number }> {
  await peer.call({ kind: "createAndEcho", vm: "first" });
  await peer.call({ kind: "destroy", vm: "first" });
  const before = await settledMemory(peer);
  for (let i = 0; i < VMS; i++) {
    await peer.call({ kind: "createAndEcho", vm: `memory${i}` });
  }
  const during = await settledMemory(peer);
  for (let i = 0; i < VMS; i++) await peer.call({ kind: "destroy", vm: `memory${i}` });
  const after = await settledMemory(peer);
  return {
    usedBytes: (during.shareBytes - before.shareBytes) / VMS,
    keptBytes: (after.anonymousBytes - before.anonymousBytes) / VMS,
  };
}

/** Read until it no longer changes: processes start and end behind the calls. */
async function settledMemory(peer: PeerProcess): Promise<TreeMemory> {
  let last = peer.memory();
  for (let i = 0; i < READINGS_LIMIT; i++) {
    await peer.call({ kind: "collect" });
    await pause(READING_MS);
    const now = peer.memory();
    if (i > 2 && Math.abs(now.anonymousBytes - last.anonymousBytes) < MEGABYTE) return now;
    last = now;
  }
  return last;
}

function figureOf(bytes: number): Figure {
  const megabytes = bytes / MEGABYTE;
  return { median: megabytes, p95: megabytes, rounds: 1 };
}
