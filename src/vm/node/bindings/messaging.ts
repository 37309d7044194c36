// Ports and clones: what Node's src/node_messaging.cc gives its library.
import { codedError } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { readMessage, setCreateObject, writeMessage } from "./messaging/message.ts";
import { MessageChannel, MessagePort, openBroadcast, openPort } from "./messaging/message-port.ts";
import { perContext } from "./messaging/per-context.ts";
import { noMessage, type PortState, portStateOf } from "./messaging/port-state.ts";
import { readTransferList } from "./messaging/transfer-list.ts";

export { setPerContext } from "./messaging/per-context.ts";

export const messaging = (): Binding => ({
  ...staticsOf("messaging"),
  MessageChannel,
  MessagePort,
  stopMessagePort: (port: object) => portStateOf(port)?.stop(),
  drainMessagePort: (port: object) => portStateOf(port)?.deliver(true),
  receiveMessageOnPort: (port: unknown) => {
    const state = needPort(port);
    return state.data === undefined ? noMessage : state.receive(true);
  },
  moveMessagePortToContext(port: unknown): object {
    const state = needPort(port);
    if (state.isDetached)
      throw codedError(Error, "ERR_CLOSED_MESSAGE_PORT", "Cannot send data on closed MessagePort");
    throw codedError(
      Error,
      "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
      "moveMessagePortToContext() is not supported in a VM",
    );
  },
  setDeserializerCreateObjectFunction: setCreateObject,
  broadcastChannel: openBroadcast,
  structuredClone: (value: unknown, options?: unknown) =>
    readMessage(writeMessage(value, readTransferList(options)), openPort),
  exposeLazyDOMExceptionProperty(target: object): void {
    for (const name of ["DOMException", "QuotaExceededError"]) expose(target, name);
  },
  get DOMException() {
    return perContext["DOMException"];
  },
  get QuotaExceededError() {
    return perContext["QuotaExceededError"];
  },
});

function needPort(port: unknown): PortState {
  const state = portStateOf(port);
  if (state !== undefined) return state;
  throw codedError(
    TypeError,
    "ERR_INVALID_ARG_TYPE",
    'The "port" argument must be a MessagePort instance',
  );
}

function expose(target: object, name: string): void {
  if (perContext[name] === undefined) return;
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    enumerable: false,
    value: perContext[name],
  });
}
