// Runs one callback of the event loop as node::InternalCallbackScope does: then the ticks, then the
// microtasks, and an error that nobody caught goes to the process.
import { native } from "../native.ts";

/** What the bootstrap gives the loop. */
export interface LoopHooks {
  tick: () => void;
  /** Whether the error was handled. */
  uncaught: (error: unknown, isFromPromise: boolean) => void;
  readonly tickInfo: Uint8Array;
}

export const hooks: LoopHooks = {
  tick: () => undefined,
  uncaught: (error) => {
    throw error;
  },
  tickInfo: new Uint8Array(2),
};

let depth = 0;

/** Calls `run` and then drains what it queued. */
export function inCallbackScope(run: () => void): void {
  depth += 1;
  try {
    run();
  } catch (error) {
    hooks.uncaught(error, false);
  } finally {
    depth -= 1;
  }
  if (depth === 0) drain();
}

/** Ticks and microtasks, until there are none. */
export function drain(): void {
  for (;;) {
    try {
      if (hooks.tickInfo[0] === 0) native["runMicrotasks"]();
      if (hooks.tickInfo[0] === 0 && hooks.tickInfo[1] === 0) return;
      hooks.tick();
      return;
    } catch (error) {
      hooks.uncaught(error, false);
    }
  }
}
