// One row of the table: what is asked of every peer, how often, and what we want to reach.
import { setTimeout as pause } from "node:timers/promises";
import type { PeerName } from "./peer-list.ts";
import type { PeerProcess } from "./peer-process.ts";
import type { Door, VmPart } from "./peers/peer-protocol.ts";

/** What we want to reach, see issues 2 to 6. */
export type Goal =
  /** Ours fits so many times into the peer's figure. */
  | { readonly timesFaster: number; readonly than: PeerName }
  /** Ours takes at most so many times the peer's figure. */
  | { readonly timesSlower: number; readonly than: PeerName }
  | { readonly mostMs: number };

export interface Row {
  readonly key: string;
  readonly title: string;
  readonly goals?: readonly Goal[];
  /** Takes more than seconds; `--quick` leaves it out. */
  readonly isSlow?: boolean;
  /** Left out by `--against`: it follows from other rows, or takes too long for many rounds. */
  readonly isNotCompared?: boolean;
  /** Who is asked at all; everybody but the host when absent. */
  readonly peers?: readonly PeerName[];
  /** How many rounds this peer takes part in, of the `most` that were asked for. */
  readonly rounds: (peer: PeerName, most: number) => number;
  /** Not timed, once for each peer before the first round. */
  readonly prepare?: (peer: PeerProcess) => Promise<unknown>;
  /** One round; the figure is milliseconds. */
  readonly sample: (peer: PeerProcess, round: number) => Promise<number>;
}

export function isAsked(row: Row, peer: PeerName): boolean {
  return (row.peers ?? ["ours", "agentos", "just-bash"]).includes(peer);
}

/** Whether two builds of ours are compared by it. */
export function isCompared(row: Row): boolean {
  return isAsked(row, "ours") && row.isNotCompared !== true;
}

/** Cells that replace the ones taken start now, and shall not run in another's measurement. */
export const SETTLE_MS = 400;

const WARM_UP_ROUNDS = 10;

interface WarmVm {
  readonly vm: string;
  readonly command: string;
  readonly answer: string;
  readonly door?: Door;
  readonly parts?: readonly VmPart[];
}

/** A VM that has run commands before. Each row has its own, so that a row can be run alone. */
export async function makeWarmVm(
  peer: PeerProcess,
  { vm, command, answer, ...spec }: WarmVm,
): Promise<void> {
  await peer.call({ kind: "createAndEcho", vm, ...spec });
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await peer.call({ kind: "exec", vm, command, answer });
  await pause(SETTLE_MS);
}
