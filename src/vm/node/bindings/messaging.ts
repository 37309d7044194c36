import { native } from "../native.ts";
import type { Binding } from "./base.ts";

let perContext: Record<string, any> = {};

/** DOMException and the like, from Node's per-context scripts. */
export function setPerContext(exports: typeof perContext): void {
  perContext = exports;
}

class MessagePort {
  postMessage(): void {}
  start(): void {}
}

export const messaging = (): Binding => ({
  MessageChannel: class MessageChannel {},
  MessagePort,
  stopMessagePort: () => undefined,
  drainMessagePort: () => undefined,
  receiveMessageOnPort: () => undefined,
  moveMessagePortToContext: () => undefined,
  setDeserializerCreateObjectFunction: () => undefined,
  broadcastChannel: () => new MessagePort(),
  structuredClone: (value: unknown, options?: { transfer?: unknown[] }) =>
    native["structuredClone"](value, options?.transfer),
  exposeLazyDOMExceptionProperty(target: object): void {
    Object.defineProperty(target, "DOMException", {
      configurable: true,
      writable: true,
      enumerable: false,
      value: perContext["DOMException"],
    });
    if (perContext["QuotaExceededError"] === undefined) return;
    Object.defineProperty(target, "QuotaExceededError", {
      configurable: true,
      writable: true,
      enumerable: false,
      value: perContext["QuotaExceededError"],
    });
  },
  get DOMException() {
    return perContext["DOMException"];
  },
  get QuotaExceededError() {
    return perContext["QuotaExceededError"];
  },
});
