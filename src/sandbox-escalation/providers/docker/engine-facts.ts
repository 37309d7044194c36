import { z } from "zod";
import { type Abilities, SandboxError } from "../../provider.ts";
import type { EngineClient } from "./engine-client.ts";

export interface EngineFacts {
  readonly abilities: Abilities;
  /** The engine runs as a user; its root is that user. */
  readonly isRootless: boolean;
  /** Its root is somebody else on the host ("userns-remap"). */
  readonly shiftsIds: boolean;
  /** Podman's, which wants a profile of system calls as a file. */
  readonly isPodman: boolean;
}

const information = z.object({
  OSType: z.string(),
  MemoryLimit: z.boolean(),
  SwapLimit: z.boolean().optional(),
  PidsLimit: z.boolean(),
  CpuCfsQuota: z.boolean(),
  SecurityOptions: z.array(z.string()).nullable(),
  /** Podman's own. */
  BuildahVersion: z.string().optional(),
  Rootless: z.boolean().optional(),
  CgroupVersion: z.string().optional(),
});

/** SandboxError "unavailable" with what is missing. */
export async function readEngine(engine: EngineClient, signal?: AbortSignal): Promise<EngineFacts> {
  const answer = await engine.expect({ method: "GET", path: "/info", signal }, [200]);
  const parsed = information.safeParse(answer.body);
  if (!parsed.success)
    throw new SandboxError("unavailable", "What answers at the engine's address is none.");
  const facts = parsed.data;
  const options = facts.SecurityOptions ?? [];
  if (facts.OSType !== "linux")
    throw new SandboxError("unavailable", "The container engine runs no Linux containers.");
  if (!options.some((option) => option.startsWith("name=seccomp")))
    throw new SandboxError("unavailable", "The container engine cannot filter system calls.");
  const isRootless = options.includes("name=rootless") || facts.Rootless === true;
  // Version 1 of control groups is root's: rootless engines take limits there and do nothing about them.
  const canHold = !isRootless || facts.CgroupVersion !== "1";
  const isHeld = (flag: boolean) => (flag && canHold ? ("hard" as const) : ("none" as const));
  return {
    isPodman: facts.BuildahVersion !== undefined,
    isRootless,
    shiftsIds: options.includes("name=userns"),
    abilities: {
      isolation: "container",
      memory: isHeld(facts.MemoryLimit),
      pids: isHeld(facts.PidsLimit),
      cpu: isHeld(facts.CpuCfsQuota),
      disk: "soft",
      network: ["none", "proxy", "full"],
      packages: "none",
      hasTerminals: true,
      stopKeeps: "files",
      canSnapshot: false,
      isBillable: false,
    },
  };
}
