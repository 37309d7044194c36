import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Who answers for the sandboxes of a home: the same for every server of that home on this machine, and no
 * other's, as vendors show all machines the same list. Tells nobody what machine and home are called.
 */
export function ownerName(homeDirectory: string): string {
  const parts = [machineId(), hostname(), homeDirectory];
  return `home-${createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32)}`;
}

/** See machine-id(5); empty where there is none. */
function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    // The host's name has to do.
    return "";
  }
}
