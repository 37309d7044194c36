// Runs one callback of the event loop as node::InternalCallbackScope does: then the ticks, then the
// microtasks, and an error that nobody caught goes to the process.
import { native } from "../native.ts";
import { catchThrown } from "./catch-thrown.ts";

/** What the bootstrap gives the loop. */
export interface LoopHooks {
  tick: () => void;
  /** Whether the error was handled. */
  uncaught: (error: unknown, isFromPromise: boolean) => void;
  readonly tickInfo: Uint8Array;
  /** What the ticks run on, as frames of a stack say. */
  process: object;
}

export const hooks: LoopHooks = {
  tick: () => undefined,
  uncaught: (error) => {
    throw error;
  },
  tickInfo: new Uint8Array(2),
  process: {},
};

let depth = 0;

/** Calls `run` and then drains what it queued. Whether it returned: an error goes to the process. */
export function inCallbackScope<Value>(run: () => Value): Value | false {
  depth += 1;
  let value: Value | false = false;
  const thrown = catchThrown(() => {
    value = run();
  });
  if (thrown !== undefined) hooks.uncaught(thrown.error, false);
  depth -= 1;
  if (depth === 0) drain();
  return value;
}

/**
 * Microtasks and ticks. An error in a tick goes to the process, which sees to the rest of them. Errors
 * made here show few frames if we have many: a stack's limit counts ours, too.
 */
export function drain(): void {
  if (hooks.tickInfo[0] === 0) native["runMicrotasks"]();
  if (hooks.tickInfo[0] === 0 && hooks.tickInfo[1] === 0) return;
  const thrown = catchThrown(() => Reflect.apply(hooks.tick, hooks.process, []));
  if (thrown !== undefined) hooks.uncaught(thrown.error, false);
}
