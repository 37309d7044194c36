import { type Stream, StreamStopped } from "../../../streams/index.ts";
import type { ToolEvent, ToolFailure } from "../../../toolkit-cli/index.ts";
import { eventTags } from "../../wire/messages.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { ThreadShare } from "./thread-share.ts";

/** Events that are passed on whatever is held already; a failure is one. */
const SMALL_BYTES = 64 * 1024;

const noRoom: ToolFailure = {
  type: "error",
  code: "failed",
  message: "The results of this VM's calls that nobody has read take too much memory already.",
};

export interface ToolCallParts {
  /** What the caller told its call by; each event carries it. */
  readonly id: number;
  readonly stream: Stream;
  /** What happens, until the signal; its last event is a result or an error. */
  readonly run: (signal: AbortSignal) => AsyncIterable<ToolEvent>;
  /** What the VM's calls may hold of events that nobody has taken. */
  readonly room: HeldBytes;
  readonly thread: ThreadShare;
  /** Called once, when its last event is sent, or nobody takes it. */
  readonly over: () => void;
  readonly log: (line: string) => void;
}

/**
 * One call of a VM: its events as lines on its stream, made no faster than they are taken. After `cancel`
 * it ends at once, whatever the tool does.
 */
export class ToolCall {
  readonly #parts: ToolCallParts;
  readonly #abort = new AbortController();
  #resultBytes = 0;
  #hasLast = false;

  constructor(parts: ToolCallParts) {
    this.#parts = parts;
    this.#pump().catch((error: unknown) => {
      parts.log(`a tool's call failed: ${String(error)}`);
      this.#end({ type: "error", code: "failed", message: "The call failed on the host." });
    });
  }

  /** The size of what the tool gave so far: texts and JSON, without what is put around them. */
  get resultBytes(): number {
    return this.#resultBytes;
  }

  cancel(message: string): void {
    this.#giveUp({ type: "error", code: "cancelled", message });
  }

  #giveUp(last: ToolFailure): void {
    if (this.#hasLast) return;
    this.#end(last);
    this.#abort.abort(new Error(last.message));
  }

  async #pump(): Promise<void> {
    for await (const event of this.#parts.run(this.#abort.signal)) {
      if (this.#hasLast) return;
      if (event.type === "result" || event.type === "error") return this.#end(event);
      await this.#send(event, eventTags.event);
      if (this.#hasLast) return;
    }
    this.#end({ type: "error", code: "failed", message: "The tool ended without a result." });
  }

  /** Waits while the caller does not take it. */
  async #send(event: ToolEvent, tag: number): Promise<void> {
    const { room, thread, stream } = this.#parts;
    const line = thread.measure(() => this.#encode(event));
    if (line.length > SMALL_BYTES && !room.has(line.length)) return this.#refuse(tag);
    room.add(line.length);
    this.#resultBytes += this.#sizeOfValue(event, line);
    try {
      if (tag === eventTags.last) await stream.outgoing.writeLast(line, tag);
      else await stream.outgoing.write(line, tag);
    } catch (error) {
      if (!(error instanceof StreamStopped)) throw error;
      this.#abort.abort(error);
    } finally {
      room.give(line.length);
    }
  }

  /** There is no room for an event: the call ends with that. */
  async #refuse(tag: number): Promise<void> {
    if (tag === eventTags.event) return this.#giveUp(noRoom);
    await this.#send(noRoom, tag);
  }

  #sizeOfValue(event: ToolEvent, line: Uint8Array): number {
    if (event.type !== "result" && event.type !== "chunk") return 0;
    const { value } = event;
    if (value === undefined) return 0;
    if (value.kind === "text") return Buffer.byteLength(value.text);
    if (value.kind === "bytes") return value.base64.length;
    return line.length - this.#encode({ ...event, value: { kind: "json", json: 0 } }).length + 1;
  }

  #encode(event: ToolEvent): Uint8Array {
    return Buffer.from(`${JSON.stringify({ id: this.#parts.id, ...event })}\n`);
  }

  #end(event: ToolEvent): void {
    if (this.#hasLast) return;
    this.#hasLast = true;
    const { stream, over, log } = this.#parts;
    this.#send(event, eventTags.last)
      .catch((error: unknown) => log(`a tool's result is lost: ${String(error)}`))
      .finally(() => {
        stream.close();
        over();
      });
  }
}
