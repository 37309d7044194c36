import { fileURLToPath } from "node:url";

/** The agent for this machine (native/sandbox-agent): the same place seen from src and from dist. */
export function findAgentBinary(): string {
  const name = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
  return fileURLToPath(
    new URL(`../../../../native/sandbox-agent/prebuilt/${name}`, import.meta.url),
  );
}
