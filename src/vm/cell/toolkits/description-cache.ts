import { join } from "./line-reader.ts";
import type { TakeEvents } from "./tool-calls.ts";

/** What a cell keeps of descriptions, and the longest it keeps. */
const KEPT_BYTES = 4 << 20;
const LONGEST_BYTES = 1 << 20;

/**
 * Descriptions of toolkits as the server sent them, until it says that they may have changed: the line of a
 * result without its beginning, which holds the caller's id.
 */
export class DescriptionCache {
  readonly #kept = new Map<string, Uint8Array>();
  #bytes = 0;
  /** Counts what was said to have changed: an answer that was under way then is not kept. */
  #changes = 0;

  /** The whole answer to a request with this id. */
  find(toolkit: string, id: number): Uint8Array | undefined {
    const rest = this.#kept.get(toolkit);
    if (rest === undefined) return undefined;
    return join([encoder.encode(`{"id":${id}`), rest]);
  }

  forget(toolkit: string): void {
    this.#changes += 1;
    this.#drop(toolkit);
  }

  /** Takes an answer on its way to the caller, and keeps it unless something has changed meanwhile. */
  keeping(toolkit: string, id: number, take: TakeEvents): TakeEvents {
    const changes = this.#changes;
    const parts: Uint8Array[] = [];
    let bytes = 0;
    return (part, isEnd) => {
      bytes += part.length;
      if (bytes <= LONGEST_BYTES) parts.push(part);
      const isWhole = isEnd && bytes <= LONGEST_BYTES && changes === this.#changes;
      if (isWhole) this.#keep(toolkit, id, join(parts));
      return take(part, isEnd);
    };
  }

  #keep(toolkit: string, id: number, line: Uint8Array): void {
    const start = `{"id":${id}`;
    const result = `${start},"type":"result"`;
    if (decoder.decode(line.subarray(0, result.length)) !== result) return;
    this.#drop(toolkit);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes + line.length <= KEPT_BYTES) break;
      this.#drop(oldest);
    }
    const rest = line.slice(start.length);
    this.#kept.set(toolkit, rest);
    this.#bytes += rest.length;
  }

  #drop(toolkit: string): void {
    this.#bytes -= this.#kept.get(toolkit)?.length ?? 0;
    this.#kept.delete(toolkit);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
