/**
 * What a cell may ask of the server: parameters and result of each method. This is the one way out
 * of a cell; broker/cell-requests.ts is where they arrive. Bytes travel in the body of request and reply.
 */
import type { CommandMethods } from "./command-requests.ts";
import type { MountMethods } from "./mount-requests.ts";

export interface BrokerMethods extends CommandMethods, MountMethods {
  /**
   * The entries of a directory of the VM's software, with attributes, sorted by name, from the
   * position `from` on. The body is a page of them, see listing.ts; `next` is where the rest begins.
   */
  listSoftware: {
    params: { readonly folder: number; readonly path: string; readonly from: number };
    result: { readonly next?: number };
  };
  /** A part of a file of the VM's software. The body is shorter than `length` only at its end. */
  readSoftware: {
    params: {
      readonly folder: number;
      readonly path: string;
      readonly offset: number;
      readonly length: number;
    };
    result: { readonly sizeBytes: number; readonly mtimeMs: number };
  };
  /** A piece of a request to toolkits that is too long for one body; `openToolCall` brings the last. */
  putToolRequest: { params: { readonly call: number }; result: Record<string, never> };
  /**
   * A request to toolkits, begun: the body is a line of device-protocol.ts. Answers as
   * `nextToolEvents` does, so a quick call is one round trip.
   */
  openToolCall: {
    params: {
      /** What both sides call it, chosen by the cell and never used again. */
      readonly call: number;
      /** What the guest calls it: the request's own id, which its events carry. */
      readonly id: number;
      readonly pid: number;
      readonly command: string;
      /** Decisions that the kernel's audit log had seen by then; for order alone. */
      readonly audited: number;
    };
    result: ToolEventsResult;
  };
  /**
   * Waits until there is something: the body is the next part of the call's events, lines of
   * device-protocol.ts cut anywhere. After `isEnd` the call is over.
   */
  nextToolEvents: { params: { readonly call: number }; result: ToolEventsResult };
  /** The call ends soon, with the event that says so; it is read to its end as before. */
  cancelToolCall: { params: { readonly call: number }; result: Record<string, never> };
}

export interface ToolEventsResult {
  readonly isEnd: boolean;
}

export type BrokerMethod = keyof BrokerMethods;

/** Requests wait for others of their lane alone: a tool may take hours, a read of software must not. */
export type Lane = "software" | "toolkit" | "command" | "mount";

export const lanes: { readonly [M in BrokerMethod]: Lane } = {
  listSoftware: "software",
  readSoftware: "software",
  putToolRequest: "toolkit",
  openToolCall: "toolkit",
  nextToolEvents: "toolkit",
  cancelToolCall: "toolkit",
  putCommandStart: "command",
  startCommand: "command",
  nextCommandEvents: "command",
  feedCommand: "command",
  tellCommand: "command",
  callMount: "mount",
};

/** What a request was answered with. */
export interface BrokerReply<M extends BrokerMethod> {
  readonly value: BrokerMethods[M]["result"];
  readonly body: Uint8Array;
  /** Called when the body is on its way, or is not wanted: who serves may use it again. */
  readonly sent?: () => void;
}

export interface ToolEventsReply {
  readonly value: ToolEventsResult;
  readonly body: Uint8Array;
}

/** Requests for software of one cell under way at one time. A cell waits before it sends more: one that does not is lying. */
export const REQUESTS_LIMIT = 16;

/** The same for toolkits: each call waits for its events and may be cancelled, and one is being put. */
export function toolRequestsLimit(maxToolCalls: number): number {
  return 2 * maxToolCalls + 1;
}
/** The most of a process's words that goes with a call. */
export const COMMAND_CHARACTERS = 256;
/** Linux's PATH_MAX and NAME_MAX, in bytes. */
const PATH_BYTES = 4096;
const NAME_BYTES = 255;

/**
 * Whether a text is the path of something in a folder: names with single slashes between, none of
 * them `.` or `..`; empty for the folder itself.
 */
export function isFolderPath(path: string): boolean {
  if (path === "") return true;
  if (path.length > PATH_BYTES || path.includes("\0")) return false;
  return path
    .split("/")
    .every((name) => name !== "" && name !== "." && name !== ".." && name.length <= NAME_BYTES);
}
