import { isKernelError } from "../../kernel/index.ts";
import { type HostCommandCall, HostCommandError } from "../../toolkit-cli/index.ts";
import { plainFailure } from "../plain-failure.ts";
import type { EscalationRequest } from "../policy/offer.ts";

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
export const FAILED_STATUS = 125;
const DENIED_STATUS = 126;

/** Has what fails end the command with a status of its own, and with words that a VM may read. */
export async function withStatus<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof HostCommandError || isKernelError(error)) throw error;
    const { code, message } = plainFailure(error);
    const status = code === "denied" ? DENIED_STATUS : FAILED_STATUS;
    throw new HostCommandError(status, message, { cause: error });
  }
}
