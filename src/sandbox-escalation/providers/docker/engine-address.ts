// Where this host's container engine listens, as Docker's own command finds it.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type EngineAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export type FoundEngine =
  | { readonly address: EngineAddress }
  | { readonly reason: string; readonly fix: string };

/** What of the operator's environment says where the engine is. */
export interface EngineEnvironment {
  readonly DOCKER_HOST?: string | undefined;
  readonly DOCKER_CONTEXT?: string | undefined;
  readonly DOCKER_CONFIG?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
  readonly HOME?: string | undefined;
}

export function findEngine(env: EngineEnvironment): FoundEngine {
  const named = env.DOCKER_HOST ?? findContextHost(env);
  if (named !== undefined && named !== "") return readHost(named);
  const runtime = env.XDG_RUNTIME_DIR ?? "";
  const candidates = [
    "/var/run/docker.sock",
    ...(runtime === "" ? [] : [join(runtime, "docker.sock")]),
    ...(env.HOME === undefined ? [] : [join(env.HOME, ".docker/run/docker.sock")]),
    ...(runtime === "" ? [] : [join(runtime, "podman/podman.sock")]),
    "/run/podman/podman.sock",
  ];
  const socketPath = candidates.find((path) => isSocket(path));
  if (socketPath !== undefined) return { address: { socketPath } };
  return {
    reason: "No container engine listens on this machine.",
    fix: "start Docker, or set DOCKER_HOST to its socket (unix:///path/to/docker.sock)",
  };
}

/** An engine over plain TCP is root for whoever reaches its port: on loopback only. */
function readHost(host: string): FoundEngine {
  if (host.startsWith("unix://") && isSocket(host.slice(7)))
    return { address: { socketPath: host.slice(7) } };
  if (host.startsWith("unix://"))
    return {
      reason: `There is no socket ${host.slice(7)}.`,
      fix: "start the container engine, or correct DOCKER_HOST",
    };
  const tcp = /^tcp:\/\/(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})\/?$/.exec(host);
  if (tcp !== null && Number(tcp[2]) < 65_536)
    return { address: { host: (tcp[1] ?? "").replace(/[[\]]/g, ""), port: Number(tcp[2]) } };
  return {
    reason: `An engine at ${host.slice(0, 200)} cannot be used: sandboxes share directories of this host.`,
    fix: "set DOCKER_HOST to an engine on this machine (unix:///var/run/docker.sock)",
  };
}

/** What `docker context use` chose. */
function findContextHost(env: EngineEnvironment): string | undefined {
  const folder = env.DOCKER_CONFIG ?? (env.HOME === undefined ? "" : join(env.HOME, ".docker"));
  if (folder === "") return undefined;
  const name = env.DOCKER_CONTEXT ?? readField(join(folder, "config.json"), ["currentContext"]);
  if (name === undefined || name === "default" || name === "") return undefined;
  const digest = createHash("sha256").update(name).digest("hex");
  const meta = join(folder, "contexts/meta", digest, "meta.json");
  return readField(meta, ["Endpoints", "docker", "Host"]);
}

function readField(path: string, keys: readonly string[]): string | undefined {
  try {
    let value: unknown = JSON.parse(readFileSync(path, "utf8"));
    for (const key of keys) {
      if (typeof value !== "object" || value === null) return undefined;
      value = Object.getOwnPropertyDescriptor(value, key)?.value;
    }
    return typeof value === "string" ? value : undefined;
  } catch {
    // A configuration that cannot be read is none; the sockets' usual places are looked at.
    return undefined;
  }
}

function isSocket(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
}
