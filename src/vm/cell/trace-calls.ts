import type { Kernel } from "../../kernel/index.ts";
import type { StreamTable } from "../../streams/index.ts";
import type { TraceParams } from "../wire/cell-methods.ts";

/** How much of data is shown to the host: enough to tell what it is. */
const SHOWN_BYTES = 64;

/** Traces this VM for the server, a record a line, until the server ends the stream. ESRCH. */
export function traceOnto(
  kernel: Kernel,
  streams: StreamTable,
  { stream: id, pid, calls }: TraceParams,
): void {
  const stream = streams.accept(id);
  const output = {
    write: (bytes: Uint8Array) => stream.outgoing.write(bytes),
    close: () => stream.close(),
  };
  try {
    const named = calls === undefined ? undefined : new Set(calls);
    const tracer = kernel.trace(output, { pid, calls: named, shownBytes: SHOWN_BYTES });
    const stop = (): void => tracer.stop();
    stream.incoming.consume({ take: () => undefined, ended: stop, failed: stop });
  } catch (error) {
    stream.close();
    throw error;
  }
}
