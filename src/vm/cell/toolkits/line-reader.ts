import { REQUEST_LIMIT_BYTES } from "../../../toolkit-cli/device-protocol.ts";
import type { ToolCalls } from "./tool-calls.ts";

const LINE_FEED = 0x0a;

export interface TakenBytes {
  readonly taken: number;
  /** The line they end, if they end one; a copy. */
  readonly line: Uint8Array | "too long" | undefined;
}

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

  /** Takes bytes up to the end of the line. ENOBUFS, and then nothing is taken. */
  push(from: Uint8Array): TakenBytes {
    const end = from.indexOf(LINE_FEED);
    const part = end < 0 ? from : from.subarray(0, end);
    const taken = end < 0 ? from.length : end + 1;
    const isTooLong = this.#isSkipping || this.#bytes + part.length > REQUEST_LIMIT_BYTES;
    if (isTooLong) {
      this.clear();
      this.#isSkipping = end < 0;
      return { taken, line: end < 0 ? undefined : "too long" };
    }
    if (end < 0) {
      this.#held.hold(part.length);
      this.#parts.push(part.slice());
      this.#bytes += part.length;
      return { taken, line: undefined };
    }
    const line = this.#parts.length === 0 ? part.slice() : join([...this.#parts, part]);
    this.clear();
    return { taken, line };
  }

  clear(): void {
    this.#held.letGo(this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
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
