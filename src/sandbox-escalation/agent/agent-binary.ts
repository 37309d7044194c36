import { fileURLToPath } from "node:url";

/** The agent for this machine, or another (native/sandbox-agent): the same place seen from src and from dist. */
export function findAgentBinary(
  architecture: "x64" | "arm64" = process.arch === "arm64" ? "arm64" : "x64",
): string {
  return fileURLToPath(
    new URL(`../../../native/sandbox-agent/prebuilt/linux-${architecture}`, import.meta.url),
  );
}
