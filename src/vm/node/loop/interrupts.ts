// SIGINT that breaks off code instead of ending the process: in the REPL, and in vm's scripts with `breakOnSigint`.
// The kernel sets a word that is shared with it; the native module ends the script that runs when it sees that.
import { call, interruptedWord } from "../channel.ts";

/** Those who watch: one inside another. */
let depth = 0;

export function startInterrupts(): void {
  depth += 1;
  if (depth === 1) call("watchInterrupts");
}

/** Whether SIGINT has come and broken off nothing. `isHandled`: the process has handlers of its own for it. */
export function stopInterrupts(isHandled: boolean): boolean {
  depth -= 1;
  if (depth > 0) return false;
  call("unwatchInterrupts", isHandled);
  return takeInterrupt();
}

/** Whether one has come; it counts once. */
export function takeInterrupt(): boolean {
  return Atomics.exchange(interruptedWord(), 0, 0) !== 0;
}

export function hasInterrupt(): boolean {
  return Atomics.load(interruptedWord(), 0) !== 0;
}
