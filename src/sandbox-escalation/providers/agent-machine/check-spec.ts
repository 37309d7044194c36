import { createHash } from "node:crypto";
import { type Abilities, SandboxError, type SandboxSpec } from "../../provider.ts";
import { isServerAlive, readServerMark } from "../local/server-mark.ts";

/** SandboxError "unsupported" or "limit" for what no provider of this kind can do. */
export function checkSpec(spec: SandboxSpec, abilities: Abilities): void {
  if (!abilities.network.includes(spec.network))
    throw new SandboxError(
      "unsupported",
      `The network is ${abilities.network.join(" or ")} here, not ${spec.network}.`,
    );
  if (spec.network === "proxy" && spec.proxySocket === undefined)
    throw new SandboxError("unsupported", "The network proxy needs the proxy's socket.");
  for (const [name, value] of Object.entries(spec.limits))
    if (!Number.isFinite(value) || value <= 0)
      throw new SandboxError("limit", `The limit ${name} is ${value}: it must be above 0.`);
}

/** The labels that a sandbox carries at its vendor. */
export const labels = {
  owner: "agentos-mcp.owner",
  vm: "agentos-mcp.vm",
  /** Which running server has it. */
  server: "agentos-mcp.server",
} as const;

export function labelsOf(spec: SandboxSpec): Record<string, string> {
  return {
    [labels.owner]: labelOf(spec.owner),
    [labels.vm]: labelOf(spec.vm),
    [labels.server]: readServerMark(),
  };
}

/** What a record tells of who made it. */
export function readLabels(told: Readonly<Record<string, string>>) {
  const server = told[labels.server];
  return { vm: told[labels.vm] ?? "", ...(server === undefined ? {} : { server }) };
}

/** SandboxError "gone" while another server runs that has it. `mark` is the label's. */
export function requireUnheld(ref: string, mark: string | undefined): void {
  if (mark === undefined || mark === readServerMark() || !isServerAlive(mark)) return;
  throw new SandboxError("gone", `Another server (process ${mark}) has sandbox ${ref}.`);
}

/** A name as a label: itself where every vendor takes it, else what stands for it. */
export function labelOf(name: string): string {
  if (/^[\x20-\x7e]{1,128}$/.test(name)) return name;
  return createHash("sha256").update(name).digest("hex");
}
