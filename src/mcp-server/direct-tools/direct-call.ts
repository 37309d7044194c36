import type { JsonValue, ToolEvent, ToolFailure, ToolValue } from "../../toolkit-cli/index.ts";
import type { HostToolkits, PendingApproval } from "../../vm/index.ts";
import type { WaitingWork } from "../approvals/waiting-work.ts";
import type { DirectTool } from "./direct-tool.ts";

/** What a client gets of a streamed result; callTool has its own limits. */
const valuesLimitBytes = 4 * 1024 * 1024;

export interface DirectCallOptions {
  readonly host: HostToolkits;
  readonly tool: DirectTool;
  readonly input: JsonValue;
  /** No two calls have the same: approvals are told apart by it. */
  readonly caller: string;
  readonly onProgress: (message: string) => void;
}

/** One call of a tool for an MCP client. It may outlive the request that began it, see run-direct-tool.ts. */
export class DirectCall implements WaitingWork {
  readonly values: ToolValue[] = [];
  readonly hints: string[] = [];
  failure: ToolFailure | undefined;
  isOver = false;
  isCut = false;
  readonly tool: DirectTool;
  readonly #caller: string;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;
  #bytes = 0;
  /** Calls do not fail but by events: whoever waits learns of one that does. */
  #bug: Error | undefined;

  /** Starts at once. */
  constructor({ host, tool, input, caller, onProgress }: DirectCallOptions) {
    this.tool = tool;
    this.#caller = caller;
    const { signal } = this.#abort;
    const call = { toolkit: tool.toolkit, tool: tool.tool.name, input, caller, signal };
    this.#done = this.#run(host.call(call), onProgress).catch((error: unknown) => {
      this.#bug = error instanceof Error ? error : new Error(String(error));
    });
  }

  cancel(): void {
    this.#abort.abort(new DOMException("The client cancelled the call.", "AbortError"));
  }

  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    if (this.isOver || signal.aborted) return;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const timer = setTimeout(end, limitMs);
    signal.addEventListener("abort", end, { once: true });
    await Promise.race([this.#done, over]);
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    if (this.#bug !== undefined) throw this.#bug;
  }

  async asksFor(pending: PendingApproval): Promise<boolean> {
    return pending.vm === "" && pending.command === this.#caller;
  }

  async #run(
    events: AsyncIterable<ToolEvent>,
    onProgress: (message: string) => void,
  ): Promise<void> {
    for await (const event of events) {
      if (event.type === "progress") onProgress(event.message);
      else this.#take(event);
    }
    this.isOver = true;
  }

  #take(event: ToolEvent): void {
    if (event.type === "hint") this.hints.push(event.message);
    if (event.type === "error") this.failure = event;
    if (event.type !== "chunk" && event.type !== "result") return;
    const { value } = event;
    if (value === undefined) return;
    this.#bytes += event.type === "chunk" ? sizeOf(value) : 0;
    if (this.#bytes > valuesLimitBytes) this.isCut = true;
    else this.values.push(value);
  }
}

function sizeOf(value: ToolValue): number {
  if (value.kind === "bytes") return value.base64.length;
  return value.kind === "text" ? value.text.length : JSON.stringify(value.json).length;
}
