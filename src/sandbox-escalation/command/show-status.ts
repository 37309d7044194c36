// What `sandbox status` and `sandbox ps` say.
import type { SandboxController } from "../controller/sandbox-controller.ts";
import type { Offer } from "../policy/offer.ts";
import { describeRefusal, type SeenOffer } from "../policy/offer-board.ts";
import type { EscalationRecord } from "../records/record-log.ts";
import { MOUNT_POINT } from "./map-path.ts";

export interface StatusFacts {
  readonly state: string;
  readonly provider?: string;
  /** Whether somebody is asked before a new one. */
  readonly needsApproval?: boolean;
  readonly network?: string;
  readonly memoryMb?: number;
  readonly runningProcesses: number;
  readonly lastEnd?: string;
  /** In order of preference. */
  readonly offers: readonly {
    readonly provider: string;
    readonly needsApproval: boolean;
    readonly costUsdPerHour: number;
    /** Why it cannot be used, and what to do. */
    readonly problem?: string;
  }[];
  readonly use: readonly {
    readonly starts: number;
    readonly minutes: number;
    readonly costUsd: number;
  }[];
  readonly records: readonly EscalationRecord[];
}

export async function statusFacts(controller: SandboxController): Promise<StatusFacts> {
  const { state, runningProcesses, lastEnd } = controller.status();
  const { meters, records, vm } = controller.options;
  const seen = await controller.options.offers.look();
  const offer = offerShown(controller, seen);
  return {
    state,
    ...(offer === undefined
      ? {}
      : {
          provider: offer.provider.id,
          needsApproval: offer.policy === "ask",
          network: offer.network,
          memoryMb: offer.limits.memoryMb,
        }),
    runningProcesses,
    ...(lastEnd === undefined ? {} : { lastEnd }),
    offers: seen.map((one) => ({
      provider: one.offer.provider.id,
      needsApproval: one.offer.policy === "ask",
      costUsdPerHour: one.offer.costUsdPerHour,
      ...(one.probe.isUsable ? {} : { problem: plain(describeRefusal(one), PROBLEM_LENGTH) }),
    })),
    use: meters.map(({ use }) => ({
      starts: use.starts,
      minutes: round(use.runMs / 60_000),
      costUsd: round(use.costUsd),
    })),
    records: records.of(vm),
  };
}

export async function describeStatus(controller: SandboxController): Promise<string> {
  const { state, runningProcesses, lastEnd } = controller.status();
  const seen = await controller.options.offers.look();
  const offer = offerShown(controller, seen);
  const lines = [
    `${stateWords[state]}${lastEnd === undefined ? "" : ` (${plain(lastEnd, PROBLEM_LENGTH)})`}; ${MOUNT_POINT} here is ${controller.current?.cwd ?? "/workspace"} there`,
  ];
  if (offer !== undefined) {
    const { provider, policy, image, network, limits, costUsdPerHour } = offer;
    const asked = policy === "ask" ? ", somebody must agree to a new one" : "";
    const cost = costUsdPerHour > 0 ? `, about ${costUsdPerHour} USD an hour` : "";
    lines.push(`provider ${provider.id}, image ${image}, network ${network}${cost}${asked}`);
    lines.push(
      `limits ${limits.memoryMb} MB memory, ${limits.cpus} CPUs, ${limits.pids} processes, ${limits.diskMb} MB disk, ` +
        `${Math.round(limits.lifetimeMs / 60_000)} minutes of life, stopped after ${Math.round(offer.idleMs / 1000)} s idle`,
    );
  }
  lines.push(...describeOffers(seen));
  for (const { of, use, limits } of controller.options.meters) {
    const minutes = round(use.runMs / 60_000);
    lines.push(
      `${of}: ${use.starts}/${shown(limits.starts)} starts, ${minutes}/${shown(limits.minutes)} minutes, ${round(use.costUsd)}/${shown(limits.costUsd)} USD`,
    );
  }
  if (runningProcesses > 0) lines.push(`${runningProcesses} processes run; see: sandbox ps`);
  const { records, vm } = controller.options;
  lines.push(...records.of(vm).slice(-SHOWN).map(describeRecord));
  return `${lines.join("\n")}\n`;
}

/** Of the sandbox there is; else what a new one would be of. */
function offerShown(controller: SandboxController, seen: readonly SeenOffer[]): Offer | undefined {
  const { state, offer } = controller.status();
  if (state !== "none") return offer;
  return seen.find(({ probe }) => probe.isUsable)?.offer ?? offer;
}

/** Those that could be had instead, and what is wrong with those that cannot. */
function describeOffers(seen: readonly SeenOffer[]): string[] {
  return seen.flatMap((one) => {
    const { provider, policy, costUsdPerHour } = one.offer;
    const problem = plain(describeRefusal(one), PROBLEM_LENGTH);
    if (problem !== "") return [`cannot be used: ${provider.id}: ${problem}`];
    if (seen.length === 1) return [];
    const asked = policy === "ask" ? ", somebody must agree" : "";
    const cost = costUsdPerHour > 0 ? `, about ${costUsdPerHour} USD an hour` : "";
    return [`offered: ${provider.id}${cost}${asked}; sandbox start --provider ${provider.id}`];
  });
}

export function describeProcesses(controller: SandboxController): string {
  const listed = controller.processes
    .list()
    .filter(({ end, log }) => end === undefined || log !== undefined);
  const rows = listed.map(({ id, command, end, log }) => {
    const state =
      end === undefined
        ? "running"
        : end.signal === undefined
          ? `exited ${end.status}`
          : `ended by ${end.signal}`;
    return `${id.padEnd(5)} ${state.padEnd(16)} ${(log === undefined ? "attached" : "detached").padEnd(9)} ${plain(command)}`;
  });
  return `${["ID    STATE            OUTPUT    COMMAND", ...rows].join("\n")}\n`;
}

const SHOWN = 5;
const PROBLEM_LENGTH = 500;
const stateWords = {
  none: "no sandbox yet",
  starting: "starting",
  running: "running",
  stopping: "stopping; files are carried back",
  stopped: "stopped; files are kept",
  destroyed: "destroyed",
} as const;

function describeRecord({ at, kind, facts }: EscalationRecord): string {
  const said = Object.entries(facts).map(
    ([name, value]) => `${name} ${typeof value === "number" ? round(value) : plain(value)}`,
  );
  return `${at.slice(0, 19)}Z ${kind}: ${said.join(", ")}`;
}

/** What a guest wrote must not steer a terminal. */
function plain(text: string, length = 120): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, length);
}

function shown(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "-";
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
