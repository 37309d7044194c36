/**
 * How processes of a VM call toolkits: they open `/dev/toolkits`, write requests and read events, one
 * JSON value a line each. An open device is one caller; many calls may be under way on it, told apart by
 * `id`, which the caller chooses. Closing it cancels them. A request that is no request gets an event
 * with the id 0 and the error "usage".
 */
import type { JsonValue } from "./json-schema.ts";
import type { ToolEvent } from "./tool-event.ts";

export const TOOLKITS_DEVICE = "/dev/toolkits";
/** The longest request, its input included. */
export const REQUEST_LIMIT_BYTES = 16 * 1024 * 1024;

export type DeviceRequest = { readonly id: number } & (
  | {
      readonly op: "call";
      readonly toolkit: string;
      readonly tool: string;
      readonly input: JsonValue;
    }
  | { readonly op: "cancel" }
  /** Result: `{ toolkits: [{ name, description }] }`, nothing started for it. */
  | { readonly op: "list" }
  /** Result: a ToolkitDescription; may start what serves the toolkit. */
  | { readonly op: "describe"; readonly toolkit: string }
  /** Result: `{ matches: [{ toolkit, tool, description, score }], unavailable: [{ toolkit, message }] }`. */
  | { readonly op: "search"; readonly query: string; readonly limit?: number }
);

export type DeviceEvent = { readonly id: number } & ToolEvent;
