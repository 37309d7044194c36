import { type Kernel, type Process, signals } from "../../kernel/index.ts";

/** How often it is looked whether all have ended. */
const LOOK_EVERY_MS = 20;

/**
 * Ends all that a command has started and that has not made a session of its own: SIGTERM, and
 * SIGKILL to what is left after `graceMs`. A stopped process is continued, so that it can end.
 */
export async function endSession(kernel: Kernel, sid: number, graceMs: number): Promise<void> {
  const deadline = kernel.host.monotonic() + graceMs;
  kernel.signal(membersOf(kernel, sid), signals.SIGTERM);
  kernel.signal(membersOf(kernel, sid), signals.SIGCONT);
  while (membersOf(kernel, sid).length > 0 && kernel.host.monotonic() < deadline) {
    await new Promise<void>((resolve) => kernel.host.setTimer(LOOK_EVERY_MS, resolve));
  }
  // A process may start others until it is dead itself.
  for (let left = membersOf(kernel, sid); left.length > 0; left = membersOf(kernel, sid)) {
    kernel.signal(left, signals.SIGKILL);
  }
}

function membersOf(kernel: Kernel, sid: number): Process[] {
  return kernel.processes
    .list()
    .filter(
      ({ session, state, isTrusted }) => session.sid === sid && state !== "zombie" && !isTrusted,
    );
}
