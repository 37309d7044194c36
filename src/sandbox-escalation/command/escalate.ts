import { type HostCommandCall, HostCommandError } from "../../toolkit-cli/index.ts";
import type { EscalationRequest } from "../policy/offer.ts";
import { SandboxError } from "../provider.ts";

const REASON_LIMIT = 300;

/** What a process of the VM asks for. */
export function requestOf(
  call: HostCommandCall,
  reason: string,
  provider?: string,
): EscalationRequest {
  const { pid, argv, signal } = call;
  return {
    pid,
    command: argv.join(" ").slice(0, REASON_LIMIT),
    reason: reason.slice(0, REASON_LIMIT),
    ...(provider === undefined ? {} : { provider }),
    signal,
  };
}

/** As docker(1) and env(1) have it: 125 is our own failure, not the command's; 126 is "may not". */
const FAILED_STATUS = 125;
const DENIED_STATUS = 126;

/** Has a SandboxError end the command with a status of its own. */
export async function withStatus<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const status = error.code === "denied" ? DENIED_STATUS : FAILED_STATUS;
    throw new HostCommandError(status, error.message, { cause: error });
  }
}
