/** A record of a trace as strace prints it. */
import { findSignalName } from "../abi/signals.ts";
import type { TraceRecord } from "./tracer.ts";

/** Where strace puts the results of short calls. */
const RESULT_COLUMN = 40;

export interface TraceLineOptions {
  /** Behind the result, how long the call took, in seconds: strace's `-T`. */
  readonly hasDuration?: boolean;
}

/** Without its end of line. */
export function formatTrace(
  record: TraceRecord,
  { hasDuration = false }: TraceLineOptions = {},
): string {
  if (record.kind === "end") return formatEnd(record.status);
  const call = `${record.call}(${record.args.join(", ")})`;
  const head = call.length < RESULT_COLUMN ? call.padEnd(RESULT_COLUMN) : `${call} `;
  const duration = hasDuration ? ` <${(record.durationMs / 1000).toFixed(6)}>` : "";
  return `${head}= ${record.result}${duration}`;
}

function formatEnd(status: Extract<TraceRecord, { kind: "end" }>["status"]): string {
  if (status.kind === "exited") return `+++ exited with ${status.code} +++`;
  if (status.kind === "continued") return "--- continued ---";
  const name = findSignalName(status.signal) ?? `signal ${status.signal}`;
  return `+++ killed by ${name} +++`;
}
