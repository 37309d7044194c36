// The way of every request to a server that is believed nothing: no redirect is followed, nothing waits for ever, and
// no answer is held without bound (the library holds an event until it is whole, and all of any other answer).

export interface FetchLimits {
  /** Until an answer begins; and until it is whole, unless it is a stream of events. */
  readonly answerMs: number;
  /** Between two pieces of a stream of events; the server says something every 15 s. */
  readonly silenceMs: number;
  readonly answerBytes: number;
  readonly eventBytes: number;
}

export const fetchLimits: FetchLimits = {
  answerMs: 60_000,
  silenceMs: 45_000,
  // A process's whole log, 10 MiB, in base64 and JSON.
  answerBytes: 32 * 1024 * 1024,
  // The server's own are 11 KB.
  eventBytes: 1024 * 1024,
};

/** `signal` ends the request, and the stream of events that it answers. */
export function guardedFetch(
  signal: AbortSignal | undefined,
  limits: FetchLimits = fetchLimits,
): typeof fetch {
  return async (input, init = {}) => {
    const isEvents = new Headers(init.headers).get("Accept") === "text/event-stream";
    const late = new AbortController();
    const timer = new Alarm(limits.answerMs, () => late.abort(new Error("no answer in time")));
    const signals = [late.signal, signal, init.signal].filter((one) => one instanceof AbortSignal);
    try {
      const response = await fetch(input, {
        ...init,
        redirect: "error",
        signal: AbortSignal.any(signals),
      });
      if (response.body === null) {
        timer.end();
        return response;
      }
      const guard = isEvents ? guardEvents(timer, limits) : guardAnswer(timer, limits);
      return new Response(response.body.pipeThrough(guard), response);
    } catch (error) {
      timer.end();
      throw error;
    }
  };
}

/** Rings once unless it is moved or ended before. */
class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout;

  constructor(waitMs: number, ring: () => void) {
    this.#ring = ring;
    this.#timer = setTimeout(ring, waitMs).unref();
  }

  move(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#ring, waitMs).unref();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

type Guard = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

function guardAnswer(timer: Alarm, limits: FetchLimits): Guard {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > limits.answerBytes) controller.error(new RangeError("the answer is too long"));
      else controller.enqueue(chunk);
    },
    flush: () => timer.end(),
  });
}

function guardEvents(timer: Alarm, limits: FetchLimits): Guard {
  let bytes = 0;
  timer.move(limits.silenceMs);
  return new TransformStream({
    transform: (chunk, controller) => {
      timer.move(limits.silenceMs);
      const end = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).lastIndexOf("\n\n");
      bytes = end < 0 ? bytes + chunk.length : chunk.length - end;
      if (bytes > limits.eventBytes) controller.error(new RangeError("an event is too long"));
      else controller.enqueue(chunk);
    },
    flush: () => timer.end(),
  });
}
