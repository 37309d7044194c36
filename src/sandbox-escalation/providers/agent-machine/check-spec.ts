import { type Abilities, SandboxError, type SandboxSpec } from "../../provider.ts";

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
  for (const name of [spec.owner, spec.vm])
    if (name === "" || name.length > NAME_LIMIT || /[^\x21-\x7e]/.test(name))
      throw new SandboxError("limit", `"${name.slice(0, NAME_LIMIT)}" cannot be a label.`);
}

/** Of a label's characters: what all vendors take. */
const NAME_LIMIT = 128;

/** The labels that a sandbox carries at its vendor. */
export const labels = { owner: "agentos-mcp.owner", vm: "agentos-mcp.vm" } as const;
