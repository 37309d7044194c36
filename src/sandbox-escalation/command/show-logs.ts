import { type HostCommandCall, HostCommandError } from "../../toolkit-cli/index.ts";
import type { HeldProcess } from "../controller/process-table.ts";

/** Once they are read, more is looked for this often. */
const FOLLOW_MS = 200;

/** What a detached process wrote, in the order it came; with `follows` until its end. */
export async function showLogs(
  held: HeldProcess,
  call: HostCommandCall,
  follows: boolean,
): Promise<number> {
  const { log } = held;
  if (log === undefined)
    throw new HostCommandError(1, `process ${held.id} is attached: its output is not kept`);
  let shown = 0;
  for (;;) {
    // What ends between the two is read with the next turn.
    const isOver = held.end !== undefined;
    const bytes = log.since(shown);
    shown = log.total;
    if (bytes.length > 0) await call.writeOut(bytes);
    if (!follows || isOver || call.signal.aborted) return 0;
    await new Promise((resolve) => {
      setTimeout(resolve, FOLLOW_MS);
    });
  }
}
