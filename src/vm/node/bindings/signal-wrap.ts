import { call } from "../channel.ts";
import { uvNumberOf } from "../errors.ts";
import { addHandleRef } from "../loop/event-loop.ts";
import { request } from "../requests.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { Handle } from "./handle.ts";

/** Who handles which signal. */
const handlers = new Map<number, Set<Signal>>();
let isFetching = false;

/** Whether the process handles a signal. */
export function isHandled(signal: number): boolean {
  return handlers.has(signal);
}

class Signal extends Handle {
  onsignal?: (signal: number) => void;
  #signal = 0;

  constructor() {
    super("SIGNALWRAP");
  }

  start(signal: number): number {
    if (this.#signal !== 0) this.stop();
    try {
      if (!handlers.has(signal)) {
        call("handleSignal", signal);
        handlers.set(signal, new Set());
      }
    } catch (error) {
      return uvNumberOf(error);
    }
    this.#signal = signal;
    if (this.hasRef()) addHandleRef(1);
    handlers.get(signal)?.add(this);
    fetchSignals();
    return 0;
  }

  stop(): number {
    const signal = this.#signal;
    if (signal === 0) return 0;
    this.#signal = 0;
    if (this.hasRef()) addHandleRef(-1);
    const others = handlers.get(signal);
    others?.delete(this);
    if (others?.size === 0) {
      handlers.delete(signal);
      call("unhandleSignal", signal);
    }
    return 0;
  }

  override ref(): void {
    if (this.#signal !== 0 && !this.hasRef()) addHandleRef(1);
    super.ref();
  }

  override unref(): void {
    if (this.#signal !== 0 && this.hasRef()) addHandleRef(-1);
    super.unref();
  }

  override close(callback?: () => void): void {
    this.stop();
    super.close(callback);
  }
}

/** Has the kernel look out for signals from now on. */
export function fetchSignals(): void {
  if (!isFetching) fetchNext();
}

/** One call waits for all signals, whoever handles them; it is never given up, lest it take one with it. */
function fetchNext(): void {
  isFetching = true;
  request(
    "nextSignal",
    [],
    (error, signal: number) => {
      isFetching = false;
      if (error === undefined) {
        for (const one of [...(handlers.get(signal) ?? [])])
          AsyncWrap.within(one, () => one.onsignal?.(signal));
      }
      if (!isFetching && handlers.size > 0) fetchNext();
    },
    false,
  );
}

export const signalWrap = (): Binding => ({ Signal });
