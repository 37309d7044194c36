// MessagePort and MessageChannel. Node's library changes MessagePort's prototype chain after it has taken
// the methods it needs, so ports are made without a constructor.
import { call } from "../../channel.ts";
import { codedError } from "../../errors.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { loaders } from "../builtins.ts";
import { writeMessage } from "./message.ts";
import { PortData } from "./port-data.ts";
import { PortState, portStateOf, setOpenPort } from "./port-state.ts";
import { readTransferList } from "./transfer-list.ts";

type Any = any;

/** What Node's HandleWrap offers. */
class HandleWrap {
  close(): void {
    portStateOf(this)?.close();
  }
  hasRef(): boolean | undefined {
    const state = portStateOf(this);
    if (state === undefined) throw new TypeError("Illegal invocation");
    return state.isRef;
  }
  ref(): void {
    portStateOf(this)?.setRef(true);
  }
  unref(): void {
    portStateOf(this)?.setRef(false);
  }
  getAsyncId(): number {
    return portStateOf(this)?.asyncId ?? -1;
  }
  getProviderType(): number {
    return AsyncWrap.providerOf("MESSAGEPORT");
  }
}

export const MessagePort: Any = function MessagePort() {
  throw codedError(TypeError, "ERR_CONSTRUCT_CALL_INVALID", "Constructor cannot be called");
};
MessagePort.prototype = Object.create(HandleWrap.prototype, {
  constructor: { value: MessagePort, writable: true, configurable: true },
});
Object.defineProperty(MessagePort, "prototype", { writable: false });
MessagePort.prototype.postMessage = function postMessage(
  this: object,
  ...args: unknown[]
): boolean | undefined {
  if (args.length === 0)
    throw codedError(
      TypeError,
      "ERR_MISSING_ARGS",
      "Not enough arguments to MessagePort.postMessage",
    );
  const list = readTransferList(args[1]);
  const data = portStateOf(this)?.isClosing === true ? undefined : portStateOf(this)?.data;
  const message = writeMessage(args[0], list, this);
  return data?.dispatch(message, warn);
};
MessagePort.prototype.start = function start(this: object): void {
  portStateOf(this)?.start();
};

function warn(text: string): void {
  loaders.require("internal/process/warning").emitWarning(text);
}

/** A port for data that came in a message. */
export function openPort(data: PortData): object {
  const port = Object.create(MessagePort.prototype);
  return new PortState(port, data).port;
}
setOpenPort(openPort);

export function MessageChannel(this: Any): void {
  if (new.target === undefined)
    throw codedError(
      TypeError,
      "ERR_CONSTRUCT_CALL_REQUIRED",
      "Cannot call constructor without `new`",
    );
  const [first, second] = PortData.pair();
  this.port1 = openPort(first);
  this.port2 = openPort(second);
}

/** A port of the channel of this name, which has any number in all threads of the process. */
export function openBroadcast(name: string): object {
  return openPort(PortData.ofEnd(call("portJoin", name)));
}
