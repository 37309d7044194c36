import type {
  EscalationPolicy,
  NetworkMode,
  Offer,
  SandboxProvider,
  UseLimits,
} from "../../sandbox-escalation/index.ts";
import type { SandboxConfig } from "../config/sandbox-config.ts";
import type { ProviderConfig, ProviderName } from "../config/sandbox-providers-config.ts";

const MINUTE_MS = 60_000;
/** Enough to compile with; little enough for a laptop. */
const DEFAULTS = { memoryMb: 2048, pids: 512, cpus: 2, diskMb: 4096 };
const LIFETIME_MINUTES = 240;
/** The longest life that a vendor gives everybody, where that is shorter. */
const LIFETIMES: Readonly<Partial<Record<ProviderName, number>>> = { e2b: 60 };
const IDLE_SECONDS = 300;
const RUNNING = 16;

/** Those whose sandboxes cost money: somebody is asked unless the operator says otherwise. */
const BILLABLE: ReadonlySet<string> = new Set<ProviderName>(["e2b", "daytona"]);
/** What a sandbox is made of where nothing is said. */
const IMAGES: Readonly<Partial<Record<ProviderName, string>>> = {
  e2b: "base",
  daytona: "default",
};

/** What the operator offers of a provider. */
export function offerOf(config: ProviderConfig, provider: SandboxProvider): Offer {
  const {
    lifetimeMinutes = LIFETIMES[config.name] ?? LIFETIME_MINUTES,
    idleSeconds = IDLE_SECONDS,
    ...sizes
  } = config.limits ?? {};
  return {
    provider,
    policy: policyOf(config),
    image: config.image ?? IMAGES[config.name] ?? "host",
    network: networkOf(config),
    limits: {
      memoryMb: sizes.memoryMb ?? DEFAULTS.memoryMb,
      pids: sizes.pids ?? DEFAULTS.pids,
      cpus: sizes.cpus ?? DEFAULTS.cpus,
      diskMb: sizes.diskMb ?? DEFAULTS.diskMb,
      lifetimeMs: lifetimeMinutes * MINUTE_MS,
    },
    idleMs: idleSeconds * 1000,
    costUsdPerHour: config.costUsdPerHour ?? 0,
    env: config.env ?? {},
  };
}

function networkOf({ network }: ProviderConfig): NetworkMode {
  if (network === undefined || network === "full") return network ?? "none";
  return "proxy";
}

function policyOf({ policy, name, costUsdPerHour = 0 }: ProviderConfig): EscalationPolicy {
  return policy ?? (BILLABLE.has(name) || costUsdPerHour > 0 ? "ask" : "auto");
}

export function vmUseOf({ perVm = {} }: SandboxConfig): UseLimits {
  return { ...useOf(perVm), running: 1 };
}

export function dayUseOf({ perDay = {}, maxRunning = RUNNING }: SandboxConfig): UseLimits {
  return { ...useOf(perDay), running: maxRunning };
}

function useOf(use: NonNullable<SandboxConfig["perVm"]>): Omit<UseLimits, "running"> {
  return {
    starts: use.starts ?? Infinity,
    minutes: use.minutes ?? Infinity,
    costUsd: use.costUsd ?? Infinity,
  };
}
