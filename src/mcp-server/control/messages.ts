// What a command for people and the server say to each other, in the headers of frames. Runs on Node 20.
import type { FrameHeader } from "../../vm/wire/frame.ts";

/** From a command. `call` numbers the calls of one connection. Bodies belong to `input`. */
export type CallerMessage =
  | {
      readonly type: "call";
      readonly call: number;
      readonly method: string;
      readonly params: FrameHeader;
    }
  | { readonly type: "input"; readonly call: number; readonly event: FrameHeader }
  | { readonly type: "inputEnd"; readonly call: number }
  | { readonly type: "cancel"; readonly call: number };

/**
 * From the server. A call ends with its result or its error; outputs come before. Bodies belong to
 * `output`. `taken` returns the cost of input that the method has taken.
 */
export type ServerMessage =
  | { readonly type: "output"; readonly call: number; readonly event: FrameHeader }
  | { readonly type: "taken"; readonly call: number; readonly cost: number }
  | { readonly type: "result"; readonly call: number; readonly result: unknown }
  | {
      readonly type: "error";
      readonly call: number;
      readonly code: string;
      readonly message: string;
    };

/**
 * How much input of one call may be on its way. A connection is read at all times, so that a cancel
 * gets through to a method that takes no input; this is what bounds the input that waits.
 */
export const inputWindow = 256 * 1024;

/** What an input takes of the window: its body, and something for being a message. */
export function inputCost(body: Uint8Array | undefined): number {
  return 256 + (body?.length ?? 0);
}

/** The message a header holds, or undefined when it holds none. */
export function parseCallerMessage(header: FrameHeader): CallerMessage | undefined {
  const { type, call, method, params, event } = header;
  if (typeof call !== "number") return undefined;
  if (type === "call" && typeof method === "string" && isObject(params))
    return { type, call, method, params };
  if (type === "input" && isObject(event)) return { type, call, event };
  if (type === "inputEnd" || type === "cancel") return { type, call };
  return undefined;
}

/** The message a header holds, or undefined when it holds none. */
export function parseServerMessage(header: FrameHeader): ServerMessage | undefined {
  const { type, call, event, result, code, message, cost } = header;
  if (typeof call !== "number") return undefined;
  if (type === "output" && isObject(event)) return { type, call, event };
  if (type === "taken" && typeof cost === "number") return { type, call, cost };
  if (type === "result") return { type, call, result };
  if (type === "error" && typeof code === "string" && typeof message === "string")
    return { type, call, code, message };
  return undefined;
}

function isObject(value: unknown): value is FrameHeader {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
