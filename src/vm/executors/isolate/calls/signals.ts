// Signals that a process handles: blocked, so that no call under way is broken off by them, and fetched.
import { isKernelError, KernelError, LAST_SIGNAL, signals } from "../../../../kernel/index.ts";
import { int } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

const all = Array.from({ length: LAST_SIGNAL }, (_, index) => index + 1);
/** Those whose action can be changed. */
const settable = all.filter((signal) => signal !== signals.SIGKILL && signal !== signals.SIGSTOP);
/** Those that Node ignores from its start. */
const ignored: readonly number[] = [signals.SIGPIPE, signals.SIGXFSZ];

export const signalCalls: Calls = {
  async handleSignal({ sys }, args) {
    const signal = int(args, 0);
    if (!settable.includes(signal)) throw new KernelError("EINVAL");
    await sys.sigprocmask("block", [signal]);
    await sys.sigaction(signal, "catch");
    return undefined;
  },
  async unhandleSignal({ sys }, args) {
    const signal = int(args, 0);
    await sys.sigaction(signal, dispositionOf(signal));
    await sys.sigprocmask("unblock", [signal]);
    return undefined;
  },
  /** The next signal that is handled. */
  async nextSignal({ sys }) {
    for (;;) {
      try {
        return await sys.sigtimedwait(all);
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  },
};

/** As node::PlatformInit: whatever the parent had ignored is not. */
export async function resetSignals(sys: Guest["sys"]): Promise<void> {
  for (const signal of settable) await sys.sigaction(signal, dispositionOf(signal));
}

function dispositionOf(signal: number): "ignore" | "default" {
  return ignored.includes(signal) ? "ignore" : "default";
}

/** What a child starts with: every action is the default one, and nothing is blocked. */
export const childSignals = { default: settable, blocked: [] } as const;
