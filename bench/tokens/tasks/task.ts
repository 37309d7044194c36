// One task of the bench: what a person asks for, and how a model that makes no mistake does it in each arm.
import type { JsonValue } from "../../../src/toolkit-cli/index.ts";
import type { CallRecord } from "../toolkits/call-record.ts";

export interface Task {
  readonly key: string;
  readonly title: string;
  /** Whether it takes many calls or much data; the others show what the fixed costs are. */
  readonly isBatch: boolean;
  readonly prompt: string;
  /** What the model says in the end; the same in every arm. */
  readonly answer: string;
  /** The tools it takes, each as `toolkit tool`. */
  readonly needs: readonly string[];
  /** What a model that knows no tool looks for. */
  readonly queries: readonly string[];
  /** The calls of MCP tools; resolves to the answer as it follows from their results. */
  readonly direct: (turn: DirectTurn) => Promise<string>;
  /** One shell command. */
  readonly command: string;
  /** One piece of code for code_run. */
  readonly code: string;
  /** What the command's output or the code's value must show, for the answer to follow from it. */
  readonly shows: readonly string[];
  /** What must have been written when it is done, in any order. */
  readonly writes: readonly unknown[];
}

/** One message of the model's: calls that need nothing of each other. Resolves to their results. */
export type DirectTurn = (calls: readonly DirectCall[]) => Promise<readonly JsonValue[]>;

export interface DirectCall {
  /** As `toolkit tool`. */
  readonly tool: string;
  readonly input: { readonly [name: string]: JsonValue };
}

/** Throws unless the task is done: what was to be written is written, and what was to be seen was seen. */
export function assertDone(task: Task, shown: string, calls: readonly CallRecord[]): void {
  const written = calls.flatMap((call) => (call.written === undefined ? [] : [call.written]));
  const sorted = (values: readonly unknown[]): string =>
    JSON.stringify(values.map((value) => JSON.stringify(value)).toSorted());
  if (sorted(written) !== sorted(task.writes)) {
    throw new Error(
      `${task.key}: wrote ${sorted(written).slice(0, 500)}; shown: ${shown.slice(0, 500)}`,
    );
  }
  const missing = task.shows.filter((text) => !shown.includes(text));
  if (missing.length > 0) {
    throw new Error(`${task.key}: the answer lacks ${missing.join(", ")}: ${shown.slice(0, 1000)}`);
  }
  const called = new Set(calls.map(({ toolkit, tool }) => `${toolkit} ${tool}`));
  const unused = task.needs.filter((tool) => !called.has(tool));
  if (unused.length > 0) throw new Error(`${task.key}: ${unused.join(", ")} was not called.`);
}
