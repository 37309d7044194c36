// What `sandbox status` and `sandbox ps` say.
import type { SandboxController } from "../controller/sandbox-controller.ts";
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
  readonly use: readonly {
    readonly starts: number;
    readonly minutes: number;
    readonly costUsd: number;
  }[];
  readonly records: readonly EscalationRecord[];
}

export function statusFacts(controller: SandboxController): StatusFacts {
  const { state, offer, runningProcesses, lastEnd } = controller.status();
  const { meters, records, vm } = controller.options;
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
    use: meters.map(({ use }) => ({
      starts: use.starts,
      minutes: round(use.runMs / 60_000),
      costUsd: round(use.costUsd),
    })),
    records: records.of(vm),
  };
}

export function describeStatus(controller: SandboxController): string {
  const { state, offer, runningProcesses, lastEnd } = controller.status();
  const lines = [
    `${stateWords[state]}${lastEnd === undefined ? "" : ` (${lastEnd})`}; ${MOUNT_POINT} here is /workspace there`,
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

export function describeProcesses(controller: SandboxController): string {
  const listed = controller.processes
    .list()
    .filter(({ end, log }) => end === undefined || log !== undefined);
  const rows = listed.map(({ id, argv, end, log }) => {
    const state =
      end === undefined
        ? "running"
        : end.signal === undefined
          ? `exited ${end.status}`
          : `ended by ${end.signal}`;
    return `${id.padEnd(5)} ${state.padEnd(16)} ${(log === undefined ? "attached" : "detached").padEnd(9)} ${plain(argv.join(" "))}`;
  });
  return `${["ID    STATE            OUTPUT    COMMAND", ...rows].join("\n")}\n`;
}

const SHOWN = 5;
const stateWords = {
  none: "no sandbox yet",
  starting: "starting",
  running: "running",
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
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, 120);
}

function shown(limit: number): string {
  return Number.isFinite(limit) ? String(limit) : "-";
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
