// Progress of a call, told to the client that asked for it.
import type { ServerContext } from "@modelcontextprotocol/server";

/** Five a second: a person cannot read faster, and a client should not have to. */
const intervalMs = 200;
/** Clients that take progress for a sign of life are told at least every ten seconds, late timers included. */
const silenceMs = 5000;
const maxMessageLength = 300;

/** What a client is told while its call runs. */
export interface Progress {
  /** Tells how far it is; what comes too soon after the last is left out. */
  readonly tell: (message: string) => void;
  /** The call is over. */
  readonly end: () => void;
}

/** Tells the client of one request how far it is, also while nothing happens; nothing if it did not ask. */
export function startProgress(
  request: ServerContext["mcpReq"],
  onError: (error: Error) => void,
): Progress {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => undefined, end: () => undefined };
  const startMs = performance.now();
  let count = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const send = (message: string): void => {
    if (request.signal.aborted) return;
    lastMs = performance.now();
    count += 1;
    const params = { progressToken, progress: count, message: message.slice(0, maxMessageLength) };
    request.notify({ method: "notifications/progress", params }).catch(onError);
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (nowMs - lastMs >= silenceMs) send(`running for ${Math.round((nowMs - startMs) / 1000)} s`);
  }, silenceMs / 2).unref();
  return {
    tell: (message) => {
      if (performance.now() - lastMs >= intervalMs) send(message);
    },
    end: () => clearInterval(timer),
  };
}
