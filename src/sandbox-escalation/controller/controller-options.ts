import type { UseMeter } from "../limits-of-use/use-meter.ts";
import type { AskEscalation, Offer } from "../policy/offer.ts";
import type { OfferBoard } from "../policy/offer-board.ts";
import type { SpawnOptions } from "../provider.ts";
import type { RecordLog } from "../records/record-log.ts";
import type { Disposal } from "./disposal.ts";
import type { FollowingFiles } from "./following-files.ts";

export interface ControllerOptions {
  readonly vm: string;
  /** Who answers for the sandbox, see SandboxSpec. */
  readonly owner: string;
  /** Where its files are on this host; they are there before it, and after. */
  readonly workspace: string;
  readonly offers: OfferBoard;
  readonly ask: AskEscalation;
  /** Whose limits count: the VM's and the server's. */
  readonly meters: readonly UseMeter[];
  readonly records: RecordLog;
  readonly disposal: Disposal;
  readonly now: () => number;
  /** The VM's files, where a provider may have files of its own. */
  readonly files?: FollowingFiles;
  /** Where the proxy listens, for an offer with that network. */
  readonly proxySocket: (offer: Offer) => Promise<string>;
}

export type ControllerState =
  | "none"
  | "starting"
  | "running"
  | "stopping"
  | "stopped"
  | "destroyed";

export interface ControllerStatus {
  readonly state: ControllerState;
  /** What it has, or would have. */
  readonly offer: Offer | undefined;
  readonly runningProcesses: number;
  /** Why the last one is not there any more. */
  readonly lastEnd: string | undefined;
}

export interface SpawnWish extends Omit<SpawnOptions, "cwd"> {
  /** Below the workspace; the workspace itself where left out. */
  readonly cwd?: string;
  readonly isDetached?: boolean;
}
