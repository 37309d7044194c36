// Why a sandbox cannot have a root of its own where sandboxes with the host's tools work, and what to do about it.
import { readFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import { findAgentBinary } from "../../../agent/agent-binary.ts";
import { SandboxError } from "../../../provider.ts";

export interface RootObstacleFacts {
  readonly settings?: string;
  readonly kernel?: string;
  readonly agent?: string;
}

/** A failed launch with the remedy, where one is known; every other error as it is. */
export function explainRootFailure(error: unknown, facts?: RootObstacleFacts): unknown {
  if (!(error instanceof SandboxError) || error.code !== "failed") return error;
  const words = explainWords(error.message, facts);
  return words === error.message ? error : new SandboxError("failed", words, { cause: error });
}

function explainWords(words: string, facts: RootObstacleFacts = {}): string {
  const { settings = "/proc/sys", kernel = release(), agent = findAgentBinary() } = facts;
  if (!/sandbox-agent: cannot|cannot be mapped/.test(words)) return words;
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  if (major < 5 || (major === 5 && minor < 11))
    return `${words}. Roots of their own need Linux 5.11; this is ${kernel}.`;
  if (isSet(join(settings, "kernel/apparmor_restrict_unprivileged_userns")))
    return `${words}. AppArmor lets only named programs make user namespaces. To allow it:\n${profileOf(agent)}`;
  if (/mount an overlay .*: errno (22|95)$/m.test(words))
    return `${words}. The disk with the server's home cannot hold an overlay's changes: take one with ext4, xfs or btrfs.`;
  return words;
}

function profileOf(program: string): string {
  return [
    "sudo tee /etc/apparmor.d/agentos-sandbox-agent <<'END'",
    "abi <abi/4.0>,",
    "include <tunables/global>",
    `profile agentos-sandbox-agent ${program} flags=(unconfined) {`,
    "  userns,",
    "}",
    "END",
    "sudo apparmor_parser -r /etc/apparmor.d/agentos-sandbox-agent",
  ].join("\n");
}

function isSet(file: string): boolean {
  try {
    return readFileSync(file, "utf8").trim() === "1";
  } catch {
    return false;
  }
}
