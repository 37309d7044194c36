import type { OutputLog } from "../../vm/index.ts";
import type { Span } from "./excerpt.ts";
import { unfinishedBytes } from "./utf8.ts";

/**
 * How much of each command's output one connection has been shown. Connections do not share them:
 * what one reads, the others still get. A command that is no longer kept takes its cursors along, so
 * there are at most as many as kept commands.
 */
export class OutputCursors {
  readonly #shown = new WeakMap<OutputLog, number>();

  /**
   * The output that this connection has not been shown, which counts as shown from now on. Begins at the
   * command's start for a connection that reads it for the first time. While the command runs, the
   * beginning of a character waits for its rest.
   */
  takeNew(log: OutputLog, isRunning: boolean): Span {
    const start = this.#shown.get(log) ?? 0;
    const { head, tail } = log.ends(0, 4);
    const held = isRunning ? unfinishedBytes(tail.length > 0 ? tail : head) : 0;
    const end = Math.max(start, log.totalBytes - held);
    this.#shown.set(log, end);
    return { start, end };
  }
}
