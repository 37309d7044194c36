import { homedir } from "node:os";
import type { ServerSpec } from "./server-spec.ts";

/** Shorter values are words like "1" or "true". */
const shortestSecret = 6;

/**
 * What a server said on its way out, for the eyes of a VM: without the values that the configuration
 * gives it, and without the user's folder.
 */
export function maskSecrets(text: string, spec: ServerSpec): string {
  const values = spec.kind === "stdio" ? Object.entries(spec.env) : Object.entries(spec.headers);
  const secrets = values
    .filter(([name]) => !plain.has(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
    .filter((value) => value.length >= shortestSecret && !schemes.test(value))
    .toSorted((one, other) => other.length - one.length);
  const masked = secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return masked.replaceAll(homedir(), "~");
}

/** Words before a credential. */
const schemes = /^(basic|bearer|digest|token)$/i;

/** What every process has in its environment. */
const plain = new Set(["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"]);
