// What Daytona is asked for when a sandbox is made, and what its labels keep for a server that attaches later. No
// environment of the caller's: it may hold secrets, and everybody of the organization reads it.
import type { CreateSandbox } from "@daytona/api-client";
import { type Abilities, SandboxError, type SandboxSpec } from "../../provider.ts";
import { labelsOf } from "../agent-machine/check-spec.ts";
import { toDaytona } from "./label-names.ts";
import type { DaytonaRecord } from "./sandbox-state.ts";

/** What a machine is, besides its id. */
export interface MachineFacts {
  readonly endsAtMs: number;
  readonly proxySocket: string | undefined;
  /** Whether it was made of an image, with a size of our limits; else it has its snapshot's. */
  readonly isSized: boolean;
}

export function factsOf(spec: SandboxSpec): MachineFacts {
  return {
    endsAtMs: Date.now() + spec.limits.lifetimeMs,
    proxySocket: spec.network === "proxy" ? spec.proxySocket : undefined,
    isSized: spec.image.startsWith(IMAGE_PREFIX),
  };
}

/**
 * Of a sandbox that a server before this one made. Everybody of the organization writes labels: none says which socket
 * of this host its connections go to, so it has no proxy.
 */
export function factsOfRecord({ labels, autoDestroyAt }: DaytonaRecord): MachineFacts {
  const endsAtMs = Number(labels[ENDS_LABEL] ?? Date.parse(autoDestroyAt ?? ""));
  return {
    // Without an end that can be read it is over: it may be destroyed, not run.
    endsAtMs: Number.isFinite(endsAtMs) ? endsAtMs : 0,
    proxySocket: undefined,
    isSized: labels[SIZED_LABEL] === "yes",
  };
}

/** SandboxError "unsupported". */
export function describeCreation(
  spec: SandboxSpec,
  facts: MachineFacts,
  name: string,
): CreateSandbox {
  const minutes = Math.max(Math.ceil(spec.limits.lifetimeMs / 60_000), 1);
  return {
    name,
    ...describeSource(spec),
    public: false,
    networkBlockAll: spec.network !== "full",
    autoStopInterval: IDLE_MINUTES,
    ttlMinutes: minutes,
    // For servers of Daytona's that know no ttlMinutes: a sandbox that stopped by itself is removed, too.
    autoDeleteInterval: minutes,
    labels: toDaytona({
      ...labelsOf(spec),
      [ENDS_LABEL]: String(facts.endsAtMs),
      [SIZED_LABEL]: facts.isSized ? "yes" : "no",
    }),
  };
}

/** A snapshot has its own size, and Daytona refuses another; an image gets what the limits say, in whole GB. */
function describeSource({ image, limits }: SandboxSpec): Partial<CreateSandbox> {
  if (image === DEFAULT_SNAPSHOT) return {};
  const isImage = image.startsWith(IMAGE_PREFIX);
  const name = isImage ? image.slice(IMAGE_PREFIX.length) : image;
  if (!/^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,199}$/.test(name) || image === "host")
    throw new SandboxError(
      "unsupported",
      `The image is the name of a snapshot of Daytona's, or ${IMAGE_PREFIX}debian:13 for an image.`,
    );
  if (!isImage) return { snapshot: name };
  return {
    buildInfo: { dockerfileContent: `FROM ${name}\n` },
    cpu: Math.max(Math.floor(limits.cpus), 1),
    memory: Math.max(Math.floor(limits.memoryMb / 1024), 1),
    disk: Math.max(Math.floor(limits.diskMb / 1024), 1),
  };
}

export const daytonaAbilities: Abilities = {
  isolation: "remote",
  memory: "none",
  pids: "none",
  cpu: "none",
  disk: "none",
  network: ["none", "proxy", "full"],
  packages: "full",
  hasTerminals: true,
  stopKeeps: "files",
  canSnapshot: true,
  isBillable: true,
};

/** Of one made of an image. */
export const sizedAbilities: Abilities = {
  ...daytonaAbilities,
  memory: "hard",
  cpu: "hard",
  disk: "hard",
};

/** Which one that is, Daytona decides. */
const DEFAULT_SNAPSHOT = "default";
export const IMAGE_PREFIX = "image:";
const ENDS_LABEL = "agentos-mcp.ends";
const SIZED_LABEL = "agentos-mcp.sized";
/** Daytona's default. While our connection is open a sandbox is not idle; when the server is gone, it is. */
const IDLE_MINUTES = 15;
