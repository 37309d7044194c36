import { signals } from "../abi/signals.ts";
import type { Process } from "./process.ts";

/** SIGCHLD to the parent, and its waits look again. */
export function tellParent(process: Process): void {
  const { parent } = process;
  if (parent === undefined || parent.state === "zombie") return;
  parent.childChanged.wakeAll();
  const { SIGCHLD } = signals;
  const isBlocked = parent.signals.blocked.has(SIGCHLD);
  // The default of SIGCHLD does nothing; blocked it stays, for sigtimedwait.
  if (!isBlocked && parent.signals.disposition(SIGCHLD) !== "catch") return;
  parent.signals.add(SIGCHLD);
  parent.interrupt();
}
