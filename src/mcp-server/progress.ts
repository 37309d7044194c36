// Progress of a call, told to the client that asked for it.
import type { ServerContext } from "@modelcontextprotocol/server";

/** Five a second: a person cannot read faster, and a client should not have to. */
const intervalMs = 200;
const maxMessageLength = 300;

/** A function that tells the client of one request how far it is; does nothing if it did not ask. */
export function createProgress(
  request: ServerContext["mcpReq"],
  onError: (error: Error) => void,
): (message: string) => void {
  const progressToken = request._meta?.progressToken;
  let count = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (message) => {
    const nowMs = performance.now();
    if (progressToken === undefined || nowMs - lastMs < intervalMs || request.signal.aborted)
      return;
    lastMs = nowMs;
    count += 1;
    const params = { progressToken, progress: count, message: message.slice(0, maxMessageLength) };
    request.notify({ method: "notifications/progress", params }).catch(onError);
  };
}
