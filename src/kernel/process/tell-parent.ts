import { signals } from "../abi/signals.ts";
import type { Process } from "./process.ts";

/** SIGCHLD to the parent, and its waits look again. */
export function tellParent(process: Process): void {
  const { parent } = process;
  if (parent === undefined || parent.state === "zombie") return;
  parent.childChanged.wakeAll();
  // The default of SIGCHLD does nothing, so only a parent that catches it is to be interrupted.
  if (parent.signals.disposition(signals.SIGCHLD) === "catch") {
    parent.signals.add(signals.SIGCHLD);
    parent.interrupt();
  }
}
