import type { ToolEvent, ToolFailure } from "../../../toolkit-cli/index.ts";
import { type Deferred, defer } from "../../deferred.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";
import type { HeldBytes } from "./held-bytes.ts";
import type { ThreadShare } from "./thread-share.ts";

/** Events that wait for their caller; then whoever makes them waits. */
const QUEUED_BYTES = CHUNK_BYTES;
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
  /** What happens, until the signal; its last event is a result or an error. */
  readonly run: (signal: AbortSignal) => AsyncIterable<ToolEvent>;
  /** What the VM's calls may hold of events that nobody has taken. */
  readonly room: HeldBytes;
  readonly thread: ThreadShare;
  readonly log: (line: string) => void;
}

/** A part of a call's events, cut anywhere. */
export interface EventBytes {
  readonly bytes: Uint8Array;
  /** Nothing comes after it. */
  readonly isEnd: boolean;
}

/**
 * One call of a VM: its events as lines of bytes, made no faster than they are taken. After `cancel`
 * it ends at once, whatever the tool does.
 */
export class ToolCall {
  readonly #parts: ToolCallParts;
  readonly #abort = new AbortController();
  readonly #lines: Uint8Array[] = [];
  /** How much of the first line has been taken. */
  #taken = 0;
  #queuedBytes = 0;
  #resultBytes = 0;
  #hasLast = false;
  #arrived: Deferred<void> | undefined;
  #drained: Deferred<void> | undefined;

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

  /** Waits until there is something to take. */
  async next(): Promise<EventBytes> {
    while (this.#queuedBytes === 0 && !this.#hasLast) {
      this.#arrived ??= defer();
      await this.#arrived.promise;
    }
    const bytes = this.#take();
    if (this.#queuedBytes < QUEUED_BYTES) this.#wake("drained");
    return { bytes, isEnd: this.#hasLast && this.#queuedBytes === 0 };
  }

  cancel(message: string): void {
    this.#giveUp({ type: "error", code: "cancelled", message });
  }

  /** Nobody takes anything any more. */
  drop(message: string): void {
    this.cancel(message);
    this.#parts.room.give(this.#queuedBytes);
    this.#lines.length = 0;
    this.#queuedBytes = 0;
  }

  #giveUp(last: ToolFailure): void {
    if (this.#hasLast) return;
    // The line that has been begun is finished; the others nobody waits for.
    const kept = this.#taken > 0 ? this.#lines.slice(0, 1) : [];
    this.#lines.splice(0, this.#lines.length, ...kept);
    const left = (kept[0]?.length ?? 0) - this.#taken;
    this.#parts.room.give(this.#queuedBytes - left);
    this.#queuedBytes = left;
    this.#end(last);
    this.#abort.abort(new Error(last.message));
  }

  async #pump(): Promise<void> {
    for await (const event of this.#parts.run(this.#abort.signal)) {
      if (this.#hasLast) return;
      if (event.type === "result" || event.type === "error") return this.#end(event);
      this.#push(event);
      while (this.#queuedBytes >= QUEUED_BYTES && !this.#hasLast) {
        this.#drained ??= defer();
        await this.#drained.promise;
      }
      if (this.#hasLast) return;
    }
    this.#end({ type: "error", code: "failed", message: "The tool ended without a result." });
  }

  #push(event: ToolEvent): void {
    const { room, thread } = this.#parts;
    const line = thread.measure(() => this.#encode(event));
    if (line.length > SMALL_BYTES && !room.has(line.length)) {
      this.#hasLast = false;
      return this.#giveUp(noRoom);
    }
    room.add(line.length);
    this.#lines.push(line);
    this.#queuedBytes += line.length;
    this.#resultBytes += this.#sizeOfValue(event, line);
    this.#wake("arrived");
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
    this.#push(event);
    this.#wake("drained");
  }

  #wake(what: "arrived" | "drained"): void {
    if (what === "arrived") {
      this.#arrived?.resolve();
      this.#arrived = undefined;
      return;
    }
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #take(): Uint8Array {
    const [first] = this.#lines;
    if (first === undefined) return new Uint8Array(0);
    const parts: Uint8Array[] = [];
    let room = CHUNK_BYTES;
    for (let line: Uint8Array | undefined = first; line !== undefined && room > 0; ) {
      const part = line.subarray(this.#taken, this.#taken + room);
      parts.push(part);
      room -= part.length;
      this.#taken += part.length;
      if (this.#taken < line.length) break;
      this.#lines.shift();
      this.#taken = 0;
      line = this.#lines[0];
    }
    const bytes = parts.length === 1 ? (parts[0] ?? first) : Buffer.concat(parts);
    this.#queuedBytes -= bytes.length;
    this.#parts.room.give(bytes.length);
    return bytes;
  }
}
