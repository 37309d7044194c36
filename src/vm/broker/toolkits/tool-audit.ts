import type { AuditRecord } from "../../../kernel/index.ts";
import {
  type JsonValue,
  redactInput,
  type Tool,
  type ToolErrorCode,
  type ToolEvent,
} from "../../../toolkit-cli/index.ts";
import type { ToolCaller } from "./toolkit-service.ts";

/** What is known of a tool's call beside the decision about it. */
export interface ToolCallRecord {
  /** JSON without secrets, cut; undefined where the tool was not reached. */
  readonly input: string | undefined;
  readonly outcome: "running" | "completed" | ToolErrorCode;
  readonly durationMs: number | undefined;
  /** Who agreed or did not, where somebody was asked. */
  readonly decidedBy: string | undefined;
}

/** A decision of the policy, by the VM's kernel or, for tools, by the broker. */
export interface VmAuditRecord extends AuditRecord {
  readonly tool?: ToolCallRecord;
}

/** The most of an input that is kept. */
const INPUT_CHARACTERS = 2048;
const SUBJECT_CHARACTERS = 512;

export interface BegunCall {
  readonly caller: ToolCaller;
  readonly subject: string;
  readonly isAllowed: boolean;
  readonly rule: string;
}

/** One call while it is under way. */
export interface OpenRecord {
  describe(tool: Tool, input: JsonValue): void;
  decide(answer: "allow" | "deny", by: string): void;
  end(last: ToolEvent | undefined, resultBytes: number): void;
}

/** A call that is over. */
export interface EndedCall extends ToolCallRecord {
  readonly pid: number;
  /** `toolkit:tool` */
  readonly subject: string;
  readonly resultBytes: number;
}

/** A record, and how many decisions of the VM's kernel came before it, as its cell says. */
export interface PlacedRecord {
  readonly before: number;
  record: Omit<VmAuditRecord, "sequence">;
}

/** The newest calls of one VM's tools; the oldest leave. Kept by the server, whatever the cell does. */
export class ToolAudit {
  readonly #capacity: number;
  readonly #records: PlacedRecord[] = [];
  readonly #listeners = new Set<(call: EndedCall) => void>();
  #dropped = 0;
  #lastBefore = 0;
  #base = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** How many records have left; those kept follow. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Decisions of the kernels that the VM had before this one. */
  get base(): number {
    return this.#base;
  }

  get records(): readonly PlacedRecord[] {
    return this.#records;
  }

  begin({ caller, subject, isAllowed, rule }: BegunCall): OpenRecord {
    const startedAt = performance.now();
    // Never before those that are there: what a cell says of order counts forward alone.
    this.#lastBefore = Math.max(this.#lastBefore, this.#base + caller.audited);
    const placed: PlacedRecord = {
      before: this.#lastBefore,
      record: {
        timeMs: Date.now(),
        pid: caller.pid,
        command: caller.command,
        call: "tool",
        scope: "toolkit",
        operation: "invoke",
        subject: subject.slice(0, SUBJECT_CHARACTERS),
        outcome: isAllowed ? "allow" : "deny",
        rule,
        tool: { input: undefined, outcome: "running", durationMs: undefined, decidedBy: undefined },
      },
    };
    this.#add(placed);
    return open(placed, startedAt, (call) => {
      for (const listener of this.#listeners) listener(call);
    });
  }

  /** Calls back at the end of each call; the answer takes it back. */
  onEnded(listener: (call: EndedCall) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The VM has a new kernel; the one before had made at least that many decisions. */
  restart(decisions: number): void {
    this.#base = Math.max(this.#lastBefore, decisions);
    this.#lastBefore = this.#base;
  }

  #add(placed: PlacedRecord): void {
    this.#records.push(placed);
    if (this.#records.length <= this.#capacity) return;
    this.#records.shift();
    this.#dropped += 1;
  }
}

function open(
  placed: PlacedRecord,
  startedAt: number,
  ended: (call: EndedCall) => void,
): OpenRecord {
  const change = (changes: Partial<ToolCallRecord>): void => {
    const before = placed.record.tool;
    if (before !== undefined) {
      placed.record = { ...placed.record, tool: { ...before, ...changes } };
    }
  };
  return {
    describe: (tool, input) => change({ input: shown(tool, input) }),
    decide: (outcome, by) => {
      placed.record = { ...placed.record, outcome };
      change({ decidedBy: by });
    },
    end: (last, resultBytes) => {
      change({ outcome: outcomeOf(last), durationMs: performance.now() - startedAt });
      const { pid, subject, tool } = placed.record;
      if (tool !== undefined) ended({ ...tool, pid, subject, resultBytes });
    },
  };
}

function shown(tool: Tool, input: JsonValue): string {
  const text = JSON.stringify(redactInput(tool.input, input));
  return text.length <= INPUT_CHARACTERS ? text : `${text.slice(0, INPUT_CHARACTERS - 1)}…`;
}

/** A call without a last event was left by its caller. */
function outcomeOf(last: ToolEvent | undefined): ToolCallRecord["outcome"] {
  if (last?.type === "result") return "completed";
  return last?.type === "error" ? last.code : "cancelled";
}
