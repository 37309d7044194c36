/** What a VM's processes do, call by call, as the server reads it from the cell. */
import { z } from "zod";
import { formatTrace, syscallNames, type TraceRecord } from "../kernel/index.ts";
import type { Stream } from "../streams/index.ts";
import { parseBoundedJson } from "../toolkit-cli/index.ts";
import { HostError } from "./host-error.ts";

export interface TraceOptions {
  /** One process and what it starts; all where undefined. */
  readonly pid?: number | undefined;
  /** The calls to tell of, by their names in docs/syscalls.md; all where undefined. */
  readonly calls?: readonly string[] | undefined;
}

/** A record, and the line that strace would print for it. */
export type TracedEvent = TraceRecord & { readonly line: string };

/** What a cell says is believed only in this shape, and a line of it only up to here. */
const LINE_BYTES = 1 << 20;
const text = z.string();
const status = z.union([
  z.object({ kind: z.literal("exited"), code: z.number() }),
  z.object({ kind: z.literal("signaled"), signal: z.number() }),
]);
const shared = { atMs: z.number(), pid: z.number(), program: text };
const record = z.union([
  z.object({
    kind: z.literal("call"),
    ...shared,
    call: text,
    args: z.array(text),
    result: text,
    errno: text.optional(),
    durationMs: z.number(),
  }),
  z.object({ kind: z.literal("end"), ...shared, status }),
]);

/** TRACE_CALL_UNKNOWN. */
export function requireCalls(calls: readonly string[] | undefined): void {
  const known: ReadonlySet<string> = new Set(syscallNames);
  const unknown = calls?.find((call) => !known.has(call));
  if (unknown !== undefined) throw new HostError("TRACE_CALL_UNKNOWN", { call: unknown });
}

/** The records of a stream, to its end or until the signal is aborted. Leaving the loop ends the trace. */
export async function* readTrace(stream: Stream, signal: AbortSignal): AsyncGenerator<TracedEvent> {
  const stop = (): void => stream.close();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const decoder = new TextDecoder();
  let held = "";
  try {
    for await (const piece of stream.incoming) {
      const lines = (held + decoder.decode(piece, { stream: true })).split("\n");
      held = lines.pop() ?? "";
      for (const line of lines) yield parseRecord(line);
      if (held.length > LINE_BYTES)
        throw new Error("The VM sent a line of a trace that is too long.");
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stream.close();
  }
}

function parseRecord(line: string): TracedEvent {
  const parsed = record.parse(parseBoundedJson(line));
  return { ...parsed, line: formatTrace(parsed) };
}
