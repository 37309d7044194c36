import type { CallOptions } from "./call-options.ts";
import { DeviceFile } from "./device-file.ts";
import { errorOf } from "./tool-error.ts";
import { valueOf } from "./tool-values.ts";

/**
 * The parts of a streamed result as they come, no faster than they are taken: a device of its own, read
 * when the loop asks for more. Leaving the loop closes it, which cancels the call.
 */
export async function* streamCall(
  Buffer: any,
  what: object,
  options: CallOptions = {},
): AsyncGenerator<unknown, void> {
  options.signal?.throwIfAborted();
  const file = new DeviceFile(Buffer);
  try {
    file.write({ id: 1, ...what });
    for await (const event of eventsOf(file, options.signal)) {
      if (event.type !== "chunk" && event.type !== "result") options.onEvent?.(event);
      else if (event.value !== undefined) yield valueOf(event.value, Buffer);
    }
  } finally {
    file.close();
  }
}

/** Up to the result. ToolError. */
async function* eventsOf(
  file: DeviceFile,
  signal: AbortSignal | undefined,
): AsyncGenerator<any, void> {
  for (;;) {
    const events = await nextEvents(file, signal);
    const last = events.at(-1);
    if (last?.type === "error") throw errorOf(last);
    yield* events;
    if (last?.type === "result") return;
  }
}

function nextEvents(file: DeviceFile, signal: AbortSignal | undefined): Promise<readonly any[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly any[]>();
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  file.read((error, events) => {
    signal?.removeEventListener("abort", abort);
    if (error === undefined) resolve(events);
    else reject(error);
  });
  return promise;
}
