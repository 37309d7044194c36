import { REQUEST_LIMIT_BYTES } from "../../../toolkit-cli/device-protocol.ts";
import type { ToolCalls } from "./tool-calls.ts";

const LINE_FEED = 0x0a;

/** What a line has been found to be; a copy. */
export type Line = Uint8Array | "too long";

/** Puts lines together from what is written. What is held counts against the VM's limit. */
export class LineReader {
  readonly #held: Pick<ToolCalls, "hold" | "letGo">;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  /** The line is too long: its rest is dropped. */
  #isSkipping = false;

  constructor(held: Pick<ToolCalls, "hold" | "letGo">) {
    this.#held = held;
  }

  /** The line that these bytes end, if they end one; nothing is taken yet. */
  find(from: Uint8Array): Line | undefined {
    const end = from.indexOf(LINE_FEED);
    if (end < 0) return undefined;
    if (this.#isSkipping || this.#bytes + end > REQUEST_LIMIT_BYTES) return "too long";
    return join([...this.#parts, from.subarray(0, end)]);
  }

  /** Takes the bytes of the line that was found; answers how many. */
  take(from: Uint8Array): number {
    this.clear();
    return from.indexOf(LINE_FEED) + 1;
  }

  /** Takes bytes that end no line; answers how many. ENOBUFS, and then nothing is taken. */
  hold(from: Uint8Array): number {
    if (this.#isSkipping || this.#bytes + from.length > REQUEST_LIMIT_BYTES) {
      this.clear();
      this.#isSkipping = true;
      return from.length;
    }
    this.#held.hold(from.length);
    this.#parts.push(from.slice());
    this.#bytes += from.length;
    return from.length;
  }

  clear(): void {
    this.#held.letGo(this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    this.#isSkipping = false;
  }
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
