import { SandboxError } from "../../provider.ts";

/** What a sandbox on a server's machine says of itself; its guests could have written it. */
export interface ServerRecord {
  readonly owner: string;
  readonly vm: string;
  /** The mark of the server that has it. */
  readonly server: string;
  readonly createdAtMs: number;
  readonly endsAtMs: number;
}

/** Undefined where it is none. */
export function parseServerRecord(text: string): ServerRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Half-written, or somebody else's.
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { owner, vm, server, createdAtMs, endsAtMs } = Object.assign(emptyRecord(), value);
  const texts = [owner, vm, server];
  const times = [createdAtMs, endsAtMs];
  if (!texts.every((one) => typeof one === "string") || !times.every(Number.isSafeInteger))
    return undefined;
  return { owner, vm, server, createdAtMs, endsAtMs };
}

function emptyRecord(): ServerRecord {
  return { owner: "", vm: "", server: "", createdAtMs: Number.NaN, endsAtMs: Number.NaN };
}

/** Where a sandbox is on the machine, as its script says it. SandboxError "failed". */
export function parsePlace(lines: readonly string[]): {
  readonly architecture: "x64" | "arm64";
  readonly directory: string;
} {
  const [machine = "", directory = ""] = lines;
  const architecture = architectures.get(machine);
  if (architecture === undefined)
    throw new SandboxError(
      "failed",
      `There is no agent for machines of the kind ${JSON.stringify(machine.slice(0, 40))}.`,
    );
  if (!/^\/[^\n\0]{1,1000}$/.test(directory))
    throw new SandboxError("failed", "The sandbox-agent server has no place for sandboxes.");
  return { architecture, directory };
}

/** As uname(1) has them. */
export const architectures: ReadonlyMap<string, "x64" | "arm64"> = new Map([
  ["x86_64", "x64"],
  ["amd64", "x64"],
  ["aarch64", "arm64"],
  ["arm64", "arm64"],
]);
