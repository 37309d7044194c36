// What a control connection can ask the server, by name. A method is a row here; what it does for a
// command lives beside that command.

import type { StreamReceiver, StreamSender } from "../../streams/index.ts";
import type { Vms } from "../../vm/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import type { LeaveReason } from "../greeting.ts";

/** The server process, as far as its callers may steer it. */
export interface ServerControls {
  status(): ServerStatus;
  /** Stops the server for everybody, after the answer to this call. */
  stop(): void;
  /** Makes the server leave when its last client does. */
  retire(): void;
}

export interface ServerStatus {
  readonly pid: number;
  readonly build: string;
  readonly node: string;
  readonly startedAt: string;
  readonly mcpConnections: number;
  /** The processes of their shims. */
  readonly shims: readonly number[];
  readonly controlConnections: number;
  readonly isRetiring: boolean;
  /** The names of its VMs. */
  readonly vms: readonly string[];
  readonly leaving?: LeaveReason;
}

/** One call of a method. */
export interface ControlCall {
  readonly server: ServerControls;
  /** The VMs of this server; loads them with the first use. */
  readonly vms: () => Promise<Vms>;
  /** The approvals of this server; loads them with the first use. */
  readonly approvals: () => Promise<ApprovalDesk>;
  /** Aborted when the caller cancels or leaves. */
  readonly signal: AbortSignal;
  /** What the caller sends to this call. Ends when it says so, and when `signal` is aborted: then it is not all. */
  readonly input: StreamReceiver;
  /** Whether the caller sends input only when it is asked for: with each `input.next()`, one piece. */
  readonly isInputOnDemand: boolean;
  /**
   * Bytes for the caller, on tags of the method's own from 1 up. A write waits while the caller does not
   * read, and fails with StreamStopped once `signal` is aborted. What still waits when the method returns is dropped.
   */
  readonly output: StreamSender;
  /** Sends an object to the caller, between the bytes. Waits and fails as `output.write`. */
  readonly tell: (event: FrameHeader) => Promise<void>;
}

/** Resolves to the JSON value that is the call's result (of at most a frame's header). */
export type ControlMethod = (params: FrameHeader, call: ControlCall) => Promise<unknown>;

/** A method whose code is loaded with its first call: a server starts without it. */
function lazily(load: () => Promise<ControlMethod>): ControlMethod {
  return async (params, call) => await (await load())(params, call);
}

const approvalsMethods = () => import("../commands/approvals-methods.ts");

export const controlMethods: ReadonlyMap<string, ControlMethod> = new Map<string, ControlMethod>([
  ["status", async (_params, { server }) => server.status()],
  [
    "stop",
    async (_params, { server }) => {
      server.stop();
      return server.status();
    },
  ],
  [
    "retire",
    async (_params, { server }) => {
      server.retire();
      return server.status();
    },
  ],
  ["exec", lazily(async () => (await import("../commands/exec-methods.ts")).runExec)],
  ["exec_signal", lazily(async () => (await import("../commands/exec-methods.ts")).signalExec)],
  ["exec_resize", lazily(async () => (await import("../commands/exec-methods.ts")).resizeExec)],
  ["trace", lazily(async () => (await import("../commands/trace-methods.ts")).traceVm)],
  ["vms", lazily(async () => (await import("../commands/vms-methods.ts")).listVms)],
  ["vm_destroy", lazily(async () => (await import("../commands/vms-methods.ts")).destroyVm)],
  ["approvals", lazily(async () => (await approvalsMethods()).listApprovals)],
  ["approval_input", lazily(async () => (await approvalsMethods()).sendApprovalInput)],
  ["approvals_watch", lazily(async () => (await approvalsMethods()).watchApprovals)],
  ["approval_decide", lazily(async () => (await approvalsMethods()).decideApproval)],
  ["approvals_remembered", lazily(async () => (await approvalsMethods()).listRemembered)],
  ["approval_revoke", lazily(async () => (await approvalsMethods()).revokeRemembered)],
]);
