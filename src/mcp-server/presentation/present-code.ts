// How a run of code looks to an MCP client: its value first, and what else there is within the limit.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CodeResult, CodeRun, PendingApproval, RefusedCode } from "../../vm/index.ts";
import { pendingApproval, pendingText, presentPending } from "../approvals/present-pending.ts";
import { cutMiddle } from "./cut-middle.ts";

const count = z.number().meta({ type: "integer" });

export const codeResult = z.object({
  status: z.enum(["completed", "running", "paused", "error", "timeout"]),
  /** The code's value as JSON. */
  result: z.unknown().optional(),
  /** What the code gave to text(). */
  text: z.string().optional(),
  error: z
    .object({ name: z.string(), message: z.string(), code: z.string().optional() })
    .optional(),
  /** What the code printed. */
  logs: z.string(),
  truncated: z.boolean(),
  notes: z.array(z.string()).optional(),
  /** The first calls of tools. */
  calls: z
    .array(
      z.object({
        toolkit: z.string(),
        tool: z.string(),
        ms: z.number(),
        ok: z.boolean(),
        approval: z.string().optional(),
      }),
    )
    .optional(),
  vm_id: z.string().optional(),
  execution_id: z.string().optional(),
  /** What it waits for until somebody agrees. */
  pending: z.array(pendingApproval).optional(),
  receipt: z
    .object({
      calls: count,
      failed_calls: count,
      /** What tools gave to the code. */
      tool_bytes: count,
      /** What of that is not in this answer. */
      kept_bytes: count,
    })
    .optional(),
  notice: z.string().optional(),
});

type Presented = z.output<typeof codeResult>;

export interface CodePresentation {
  readonly run: CodeRun;
  readonly result: CodeResult;
  readonly pending: readonly PendingApproval[];
  readonly maxOutputBytes: number;
}

/** What printed output gets at least. */
const LEAST_BYTES = 1000;
const TEXTS_SHARE = 0.75;

export function presentCode(presentation: CodePresentation): CallToolResult {
  const { run, result, maxOutputBytes } = presentation;
  const { value, error, notes, calls } = result;
  const limitBytes = maxOutputBytes;
  const json = cutMiddle(shownValue(value), limitBytes);
  const left = (used: number): number => Math.max(LEAST_BYTES, limitBytes - used);
  const texts = cutMiddle(result.texts.join("\n"), left(json.text.length) * TEXTS_SHARE);
  const logs = cutMiddle(result.logs, left(json.text.length + texts.text.length));
  const pending = presentPending(presentation.pending);
  const problem = error && cutMiddle(error.stack ?? `${error.name}: ${error.message}`, limitBytes);
  const presented: Presented = {
    status: result.status === "running" && pending.length > 0 ? "paused" : result.status,
    ...(value === undefined ? {} : { result: json.isCut ? json.text : value }),
    ...(texts.text === "" ? {} : { text: texts.text }),
    ...(error === undefined ? {} : { error: shownError(error, limitBytes) }),
    logs: logs.text,
    truncated:
      json.isCut || texts.isCut || logs.isCut || problem?.isCut === true || result.truncated,
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
    ...(calls.count === 0 ? {} : { calls: [...calls.calls] }),
    vm_id: run.vm.id,
    ...(result.status === "running" ? { execution_id: run.id } : {}),
    ...(pending.length === 0 ? {} : { pending }),
  };
  const shownBytes = json.text.length + texts.text.length + logs.text.length;
  if (calls.count > 0) presented.receipt = receiptOf(result, shownBytes);
  return {
    structuredContent: presented,
    content: [{ type: "text", text: textOf(presented, json.text, problem?.text) }],
  };
}

/** Code that was not run. */
export function presentRefused(
  { problems, expected }: RefusedCode,
  maxOutputBytes: number,
): CallToolResult {
  const lines = problems.map(
    ({ line, column, message, source }) =>
      `line ${line}, column ${column}: ${message}\n  ${line} | ${source}`,
  );
  const message = [
    ...lines,
    ...(expected.length === 0 ? [] : ["Expected:", ...expected]),
    "Nothing has run. Correct the code, or run it as it is with check: false.",
  ].join("\n");
  const shown = cutMiddle(message, maxOutputBytes);
  const structuredContent: Presented = {
    status: "error",
    error: { name: "TypeCheck", message: shown.text },
    logs: "",
    truncated: shown.isCut,
  };
  return { structuredContent, content: [{ type: "text", text: `TypeCheck: ${shown.text}` }] };
}

/** JSON without a space, which is what tokens are for; text as it is. */
function shownValue(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shownError(
  { name, message, code }: NonNullable<CodeResult["error"]>,
  limitBytes: number,
): Presented["error"] {
  const { text } = cutMiddle(message, limitBytes);
  return { name, message: text, ...(code === undefined ? {} : { code }) };
}

function receiptOf({ calls }: CodeResult, shownBytes: number): NonNullable<Presented["receipt"]> {
  const kept = Math.max(0, calls.bytes - shownBytes);
  return {
    calls: calls.count,
    failed_calls: calls.failed,
    tool_bytes: calls.bytes,
    kept_bytes: kept,
  };
}

/** For clients that show text. */
function textOf(presented: Presented, json: string, problem: string | undefined): string {
  const { status, text = "", logs, notes = [], pending = [], execution_id, receipt } = presented;
  const parts = [
    json,
    text,
    problem ?? "",
    status === "timeout" ? "[ended by its timeout]" : "",
    logs === "" ? "" : `[printed]\n${logs}`,
    ...notes.map((note) => `[${note}]`),
    pendingText(pending),
    status === "paused"
      ? `[paused; once it is approved, continue with code_run, execution_id ${execution_id}]`
      : "",
    status === "running" ? `[running; continue with code_run, execution_id ${execution_id}]` : "",
    receipt === undefined ? "" : receiptText(receipt),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "[no value, nothing printed]" : parts.join("\n");
}

function receiptText(receipt: NonNullable<Presented["receipt"]>): string {
  const { calls, failed_calls: failed, kept_bytes: bytes } = receipt;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const made = calls === 1 ? "1 tool call" : `${calls} tool calls`;
  const kept = bytes === 0 ? "" : `; ${bytes} bytes stayed in the VM`;
  return `[${made}${failures}${kept}]`;
}
