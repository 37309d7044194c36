/**
 * One call of a tool, from its input to its last event. The boundary between callers and handlers: whatever
 * a handler does, a call gives well-formed events, ends, and keeps to its limits.
 */

import type { JsonValue } from "./json-schema.ts";
import { resultTooLarge } from "./plain-json.ts";
import { readResult, sizeOf, toPieces, toToolValue } from "./read-result.ts";
import { ToolCallRun } from "./tool-call-run.ts";
import { ToolError, type ToolEvent, type ToolValue } from "./tool-event.ts";
import type { Issue, Tool } from "./toolkit.ts";
import { atOnce, type Turn } from "./turn.ts";

export interface ToolCall {
  readonly vm: string;
  readonly pid: number;
  readonly command: string;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Lines for the server's log: what handlers log, and what went wrong in full. */
  readonly log?: (line: string) => void;
  readonly limits?: Partial<ToolCallLimits>;
  /** Where given, it is asked about the call, whatever `needsApproval` says; such a tool is denied without it. */
  readonly approve?: Approve;
  /** When to check inputs and to begin, which may take the thread a while. */
  readonly turn?: Turn;
}

export interface ToolCallLimits {
  /** A result, or one item of a stream, in bytes. */
  readonly resultBytes: number;
  /** A streamed result altogether. */
  readonly streamBytes: number;
}

export const TOOL_CALL_LIMITS: ToolCallLimits = {
  resultBytes: 16 * 1024 * 1024,
  streamBytes: 1024 * 1024 * 1024,
};

/** More than a person reads; and making it visible takes the thread. */
const APPROVAL_LIMIT_BYTES = 1024 * 1024;

/** Resolves when somebody has decided; rejects only with the signal. The wait counts for no timeout. */
export type Approve = (question: ApprovalQuestion) => Promise<ApprovalVerdict>;

export interface ApprovalQuestion {
  readonly tool: Tool;
  /** As the caller gave it; found valid. */
  readonly input: JsonValue;
  /** The same as JSON. If it is allowed, the tool runs with what this text says and nothing else. */
  readonly exact: string;
  readonly signal: AbortSignal;
  /** Tells the caller what it waits for. */
  readonly pending: (approval: string, message: string) => void;
}

export type ApprovalVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly message: string };

/**
 * Validates, asks, runs. Nothing happens before the first `next()`, and a stream's handler goes on only
 * as its caller reads. `return()` aborts the handler's signal, at once even while a `next()` waits.
 * Never throws: failures are the last event.
 */
export function callTool(
  tool: Tool,
  input: JsonValue,
  call: ToolCall,
): AsyncIterableIterator<ToolEvent> {
  const run = new ToolCallRun(tool.timeoutMs, call);
  const events = eventsOf(tool, input, { call, run });
  return {
    next: async () => await events.next(),
    async return() {
      run.cancel();
      await events.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Parts {
  readonly call: ToolCall;
  readonly run: ToolCallRun;
}

/** The call is over before its last event is given: who takes that and leaves has nothing to cancel. */
async function* eventsOf(tool: Tool, input: JsonValue, parts: Parts): AsyncGenerator<ToolEvent> {
  const { run } = parts;
  let last: ToolEvent;
  try {
    run.begin();
    last = yield* runTool(tool, input, parts);
  } catch (error) {
    last = run.failure(error);
  } finally {
    run.end();
  }
  yield last;
}

/** Gives all events but the last, which it returns. */
async function* runTool(
  tool: Tool,
  input: JsonValue,
  parts: Parts,
): AsyncGenerator<ToolEvent, ToolEvent> {
  const { run, call } = parts;
  const { turn = atOnce } = call;
  const validation = yield* run.during(() => turn(() => tool.validate(input), run.context.signal));
  if (!validation.ok) throw wrongInput(validation.issues);
  const value = isAsked(tool, call) ? yield* approved(tool, input, parts) : validation.value;
  const returned = yield* run.during(() =>
    turn(() => tool.run(value, run.context), run.context.signal),
  );
  return yield* results(tool, returned, parts);
}

/** Whether somebody must agree first. */
function isAsked(tool: Tool, { approve }: ToolCall): boolean {
  if (approve !== undefined) return true;
  if (!tool.needsApproval) return false;
  throw new ToolError("denied", "The tool needs approval, and nobody is there to give it.");
}

/**
 * The value that was agreed to. It is made anew from the text that was shown and recorded: whatever has happened to the
 * input while somebody read, the tool gets what they read.
 */
async function* approved(
  tool: Tool,
  input: JsonValue,
  { call, run }: Parts,
): AsyncGenerator<ToolEvent, unknown> {
  const { signal } = run.context;
  const exact = JSON.stringify(input);
  const bytes = Buffer.byteLength(exact);
  if (bytes > APPROVAL_LIMIT_BYTES) {
    const words = `The input has ${bytes} bytes. A tool that needs approval takes ${APPROVAL_LIMIT_BYTES} at most.`;
    throw new ToolError("usage", words);
  }
  const verdict = yield* run.during(
    async () =>
      await call.approve?.({ tool, input: JSON.parse(exact), exact, signal, pending: run.pending }),
    { counts: false },
  );
  if (verdict?.allowed !== true)
    throw new ToolError("denied", verdict?.message ?? "Nobody agreed.");
  const { turn = atOnce } = call;
  const validation = yield* run.during(() => turn(() => tool.validate(JSON.parse(exact)), signal));
  if (!validation.ok) throw wrongInput(validation.issues);
  return validation.value;
}

async function* results(
  tool: Tool,
  returned: unknown,
  parts: Parts,
): AsyncGenerator<ToolEvent, ToolEvent> {
  const { run, call } = parts;
  const { resultBytes } = { ...TOOL_CALL_LIMITS, ...call.limits };
  const result = yield* run.during(async () => await readResult(returned, resultBytes));
  if (result.kind === "nothing") return { type: "result" };
  if (result.kind === "stream") return yield* streamed(tool, result.items, parts);
  const value = toToolValue(result.value, resultBytes);
  const check = outputCheck(tool, value);
  if (check !== undefined) yield* run.during(check);
  return { type: "result", value };
}

type Items = AsyncIterator<unknown> | Iterator<unknown>;

async function* streamed(
  tool: Tool,
  items: Items,
  { call, run }: Parts,
): AsyncGenerator<ToolEvent, ToolEvent> {
  const { resultBytes, streamBytes } = { ...TOOL_CALL_LIMITS, ...call.limits };
  let bytes = 0;
  run.onEnd(() => items.return?.());
  for (;;) {
    const item = yield* run.during(async () => await items.next());
    if (item.done === true) break;
    for (const value of toPieces(item.value, resultBytes)) {
      bytes += sizeOf(value);
      if (bytes > streamBytes) throw resultTooLarge(streamBytes);
      const check = outputCheck(tool, value);
      if (check !== undefined) yield* run.during(check);
      yield { type: "chunk", value };
    }
  }
  run.forgetEnd();
  return { type: "result" };
}

/** Data that breaks the tool's promise is the tool's failure; text and bytes are beyond schemas. */
function outputCheck(tool: Tool, value: ToolValue): (() => Promise<void>) | undefined {
  if (value.kind !== "json" || tool.validateOutput === undefined) return undefined;
  return async () => {
    const validation = await tool.validateOutput?.(value.json);
    if (validation === undefined || validation.ok) return;
    const [first] = validation.issues;
    throw new ToolError(
      "failed",
      `The tool's result is not what it promises: ${first === undefined ? "invalid" : showIssue(first)}.`,
    );
  };
}

function wrongInput(issues: readonly Issue[]): ToolError {
  const said = issues.slice(0, 5).map(showIssue).join("; ");
  return new ToolError("usage", said === "" ? "The input is invalid." : said, { issues });
}

function showIssue({ path, message }: Issue): string {
  if (path.length > 0) return `${path.join(".")}: ${message}`;
  return /^(is|must|fits) /.test(message) ? `It ${message}` : message;
}
