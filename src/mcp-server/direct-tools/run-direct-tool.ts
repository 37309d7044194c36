// A call of a direct tool from its request to its result, approvals between the two.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { JsonValue } from "../../toolkit-cli/index.ts";
import { HostError } from "../../vm/host-error.ts";
import type { HostToolkits } from "../../vm/index.ts";
import { attendWork } from "../approvals/attend-work.ts";
import { pendingText, presentPending } from "../approvals/present-pending.ts";
import type { McpCall } from "../mcp-tool.ts";
import { DirectCall } from "./direct-call.ts";
import type { DirectTool } from "./direct-tool.ts";
import { presentDirectCall } from "./present-direct-call.ts";

/** Tools have timeouts of their own, approvals expire: a day is longer than both. */
const waitLimitMs = 86_400_000;
/** Calls of one connection that wait for an approval and are not waited for. */
const parkedLimit = 32;

/** The direct calls of one connection. */
export class DirectCalls {
  readonly #parked = new Map<string, DirectCall>();
  #count = 0;

  /** Ends what nobody can ask for any more. */
  close(): void {
    for (const call of this.#parked.values()) call.cancel();
    this.#parked.clear();
  }

  /**
   * Runs a tool. Where it waits for somebody whom the client cannot ask, the answer says so; the same
   * call again goes on with it, so that what was agreed to happens once.
   */
  async run(
    tool: DirectTool,
    input: JsonValue,
    { host, call }: { readonly host: HostToolkits; readonly call: McpCall },
  ): Promise<CallToolResult | InputRequiredResult> {
    const desk = await call.approvals();
    const resumed = desk.resume(call);
    if (resumed !== undefined && !(resumed.work instanceof DirectCall)) {
      throw new HostError("CALL_GONE");
    }
    const key = JSON.stringify([tool.name, input]);
    const work =
      resumed?.work instanceof DirectCall
        ? resumed.work
        : (this.#take(key) ?? this.#start(tool, input, { host, call }));
    const question = await attendWork({ work, call, limitMs: waitLimitMs, resumed });
    if (question !== undefined) return question;
    if (work.isOver) return presentDirectCall(work);
    if (call.signal.aborted) work.cancel();
    const pending = presentPending(await desk.tell(work));
    if (!call.signal.aborted) this.#park(key, work);
    const text = `${pendingText(pending)}\n[nothing has happened yet; then call again with the same arguments]`;
    return { isError: true, content: [{ type: "text", text }] };
  }

  #start(
    tool: DirectTool,
    input: JsonValue,
    { host, call }: { readonly host: HostToolkits; readonly call: McpCall },
  ): DirectCall {
    this.#count += 1;
    const caller = `MCP connection ${call.connection.id}, call ${this.#count}`;
    return new DirectCall({ host, tool, input, caller, onProgress: call.progress });
  }

  #take(key: string): DirectCall | undefined {
    const parked = this.#parked.get(key);
    this.#parked.delete(key);
    return parked;
  }

  #park(key: string, work: DirectCall): void {
    this.#parked.get(key)?.cancel();
    this.#parked.set(key, work);
    if (this.#parked.size <= parkedLimit) return;
    const [oldest] = this.#parked.keys();
    if (oldest !== undefined) this.#take(oldest)?.cancel();
  }
}
