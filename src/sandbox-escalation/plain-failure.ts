import { SandboxError } from "./provider.ts";

/**
 * A failure in words that a VM may read: a provider's own as they are; of any other, whose words may be about
 * this host, only its code. The record of it has all.
 */
export function plainFailure(error: unknown): SandboxError {
  if (error instanceof SandboxError) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  const message = `Something failed at the server${code}: its operator finds more in logs/sandboxes.jsonl.`;
  return new SandboxError("failed", message, { cause: error });
}
