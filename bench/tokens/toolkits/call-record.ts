/** One call that reached a tool, and what it changed. */
export interface CallRecord {
  readonly toolkit: string;
  readonly tool: string;
  /** What was written, for tools that change something. */
  readonly written?: unknown;
}

/** Where the tools tell of their calls: the proof that a task was done, and how often tools were called. */
export type RecordCall = (record: CallRecord) => void;
