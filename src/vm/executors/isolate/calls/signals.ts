// Signals that a process handles: blocked, so that no call under way is broken off by them, and fetched.
import { isKernelError, KernelError, LAST_SIGNAL, signals } from "../../../../kernel/index.ts";
import { flag, int } from "../arguments.ts";
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
  async nextSignal({ sys, state, interrupt }) {
    for (;;) {
      try {
        const signal = await sys.sigtimedwait(all);
        if (signal !== signals.SIGINT || state.get(WATCHES) !== true) return signal;
        interrupt();
      } catch (error) {
        if (!isKernelError(error, "EINTR")) throw error;
      }
    }
  },
  /** SIGINT breaks off the code that runs, until unwatchInterrupts. Whoever waits in nextSignal sees it come. */
  async watchInterrupts({ sys, state }) {
    await sys.sigprocmask("block", [signals.SIGINT]);
    await sys.sigaction(signals.SIGINT, "catch");
    state.set(WATCHES, true);
    return undefined;
  },
  /** One that comes while nobody watches is the process's own again. */
  async unwatchInterrupts({ sys, state }, args) {
    state.set(WATCHES, false);
    if (flag(args, 0)) return undefined;
    await sys.sigaction(signals.SIGINT, "default");
    await sys.sigprocmask("unblock", [signals.SIGINT]);
    return undefined;
  },
};

/** In a guest's state: whether it watches for SIGINT. */
const WATCHES = "watchesInterrupts";

/** As node::PlatformInit: whatever the parent had ignored is not. */
export async function resetSignals(sys: Guest["sys"]): Promise<void> {
  for (const signal of settable) await sys.sigaction(signal, dispositionOf(signal));
}

function dispositionOf(signal: number): "ignore" | "default" {
  return ignored.includes(signal) ? "ignore" : "default";
}

/** What a child starts with: every action is the default one, and nothing is blocked. */
export const childSignals = { default: settable, blocked: [] } as const;
