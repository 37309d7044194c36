// What a container's label keeps for a server that attaches later. No environment of the caller's: it may hold
// secrets, and everybody who can ask the engine reads labels.
import { z } from "zod";
import type { SandboxSpec } from "../../provider.ts";

const schema = z.object({
  workspace: z.string(),
  limits: z.object({
    memoryMb: z.number(),
    pids: z.number(),
    cpus: z.number(),
    diskMb: z.number(),
    lifetimeMs: z.number(),
  }),
  endsAtMs: z.number(),
  network: z.enum(["none", "proxy", "full"]),
  proxySocket: z.string().optional(),
  /** The image's own. */
  environment: z.record(z.string(), z.string()),
});

export type DockerRecord = z.infer<typeof schema>;

export function makeRecord(spec: SandboxSpec, imageEnv: readonly string[]): DockerRecord {
  const pairs = imageEnv.map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
  });
  return {
    workspace: spec.workspace,
    limits: spec.limits,
    endsAtMs: Date.now() + spec.limits.lifetimeMs,
    network: spec.network,
    ...(spec.network === "proxy" && spec.proxySocket !== undefined
      ? { proxySocket: spec.proxySocket }
      : {}),
    environment: { PATH: USUAL_PATH, ...Object.fromEntries(pairs) },
  };
}

/** Undefined for what no server of ours wrote. */
export function findRecord(text: unknown): DockerRecord | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // A label that somebody else wrote is no record.
    return undefined;
  }
}

const USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
