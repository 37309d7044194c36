// The server's side of `agentos-mcp trace`.
import { z } from "zod";
import type { TracedEvent } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";
import { traceTag } from "./trace-protocol.ts";

const traceParams = z.object({
  vm: z.string(),
  pid: z.number().int().optional(),
  calls: z.array(z.string()).optional(),
  isJson: z.boolean(),
});

export type TraceParams = z.input<typeof traceParams>;

/** Sends a line for each call until the caller has enough or the VM is gone. VM_NOT_FOUND, TRACE_CALL_UNKNOWN. */
export async function traceVm(params: FrameHeader, call: ControlCall): Promise<object> {
  const { vm: name, pid, calls, isJson } = traceParams.parse(params);
  const vm = (await call.vms()).get(name);
  const encoder = new TextEncoder();
  const events = await vm.trace({ pid, calls }, call.signal);
  await call.tell({ started: true });
  for await (const event of events) {
    const line = isJson ? jsonOf(event) : textOf(event);
    await call.output.write(encoder.encode(`${line}\n`), traceTag);
  }
  return {};
}

function jsonOf({ line: _line, ...record }: TracedEvent): string {
  return JSON.stringify(record);
}

function textOf({ pid, program, line, atMs }: TracedEvent): string {
  const time = new Date(atMs).toISOString().slice(11, 23);
  return `${time} ${String(pid).padStart(5)} ${program.padEnd(10)} ${line}`;
}
