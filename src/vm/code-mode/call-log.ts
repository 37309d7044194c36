/** The calls of tools that one run of code has made, as the broker saw them. */
import type { EndedCall } from "../broker/toolkits/tool-audit.ts";

export interface CodeCall {
  readonly toolkit: string;
  readonly tool: string;
  readonly ms: number;
  readonly ok: boolean;
  /** Who agreed to it, or did not. */
  readonly approval?: string;
}

export interface CallSummary {
  /** The first calls. */
  readonly calls: readonly CodeCall[];
  readonly count: number;
  readonly failed: number;
  /** What the calls gave to the code. */
  readonly bytes: number;
}

/** More calls are counted, not listed. */
const CALLS_LIMIT = 50;

export class CallLog {
  readonly #calls: CodeCall[] = [];
  #count = 0;
  #failed = 0;
  #bytes = 0;

  add({ subject, outcome, durationMs = 0, decidedBy, resultBytes }: EndedCall): void {
    const ok = outcome === "completed";
    this.#count += 1;
    this.#bytes += resultBytes;
    if (!ok) this.#failed += 1;
    // The calls that fail are listed first of all.
    if (this.#calls.length >= (ok ? CALLS_LIMIT : 2 * CALLS_LIMIT)) return;
    const [toolkit = "", tool = ""] = subject.split(":", 2);
    this.#calls.push({
      toolkit,
      tool,
      ms: Math.round(durationMs * 10) / 10,
      ok,
      ...(decidedBy === undefined ? {} : { approval: decidedBy }),
    });
  }

  summary(): CallSummary {
    const { calls, count, failed, bytes } = {
      calls: [...this.#calls],
      count: this.#count,
      failed: this.#failed,
      bytes: this.#bytes,
    };
    return { calls, count, failed, bytes };
  }
}
