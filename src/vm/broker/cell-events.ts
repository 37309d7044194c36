import type { LimitWarning, PermissionRequest } from "../../kernel/index.ts";
import type { FromCell, WatchEvent } from "../wire/from-cell.ts";

/** What a cell tells without being asked. All of it is a guest's word. */
export interface CellEvents {
  limit(warning: LimitWarning): void;
  /** For whoever started a session. */
  notice(sid: number, text: string): void;
  ask(ask: number, request: PermissionRequest): void;
  askEnded(ask: number): void;
  watchEvents(watch: number, events: readonly WatchEvent[]): void;
  log(level: string, message: string): void;
  /** The body is a view of what was read. */
  request(request: Extract<FromCell, { type: "request" }>, body: Uint8Array): void;
}
