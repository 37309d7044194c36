// One way to give a model tools, and what doing a task that way costs.
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Conversation } from "../conversation.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import type { Task } from "../tasks/task.ts";
import type { CallRecord } from "../toolkits/call-record.ts";
import type { ShownPart } from "./client-session.ts";

export interface Arm {
  readonly key: ArmKey;
  readonly title: string;
  /** Does the task for real; fails unless it is done. */
  readonly run: (task: Task, bench: Bench) => Promise<Trial>;
}

export type ArmKey =
  | "direct"
  | "direct-needed"
  | "direct-sequential"
  | "tool-search"
  | "cli-cold"
  | "cli-warm"
  | "code";

/** What every trial has. */
export interface Bench {
  readonly catalogue: Catalogue;
  /** The tools are commands in VMs, and tools.* in code. */
  readonly server: ServerUnderTest;
  /** The tools are MCP tools. */
  readonly directServer: ServerUnderTest;
  readonly shows: ShownPart;
}

export interface Trial {
  readonly conversation: Conversation;
  /** What reached the tools. */
  readonly calls: readonly CallRecord[];
}
