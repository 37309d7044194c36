// A MessagePort's inner life: what Node keeps in C++. The object that scripts see points at it.
import { inCallbackScope } from "../../loop/callback-scope.ts";
import { addHandleRef } from "../../loop/event-loop.ts";
import { closeSoon, wakeSoon } from "../../loop/wakeups.ts";
import { staticsOf } from "../../statics.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { readMessage } from "./message.ts";
import { perContext } from "./per-context.ts";
import { CLOSE, type PortData } from "./port-data.ts";
import { type MovablePort, portSymbol } from "./port-of.ts";

type Any = any;

const { privateSymbols, constants } = staticsOf("util");
const transferMode: symbol = privateSymbols["transfer_mode_private_symbol"];
const TRANSFERABLE: number = constants.kTransferable;
const symbols = staticsOf("symbols");
const oninit: symbol = symbols["oninit"];
const onclose: symbol = symbols["handle_onclose"];
export const noMessage: symbol = symbols["no_message_symbol"];
/** Messages given without a turn for everything else. */
const AT_ONCE = 1_000;

export function portStateOf(object: Any): PortState | undefined {
  return typeof object === "object" && object !== null ? object[portSymbol] : undefined;
}

export class PortState implements MovablePort {
  readonly port: object;
  readonly #wrap: AsyncWrap;
  #data: PortData | undefined;
  #isReceiving = false;
  #isRef = false;
  #isClosing = false;
  #isClosed = false;
  #isTriggered = false;

  /** Makes `port` a port; `data` is that of a port which was transferred. */
  constructor(port: Any, data: PortData) {
    this.port = port;
    port[portSymbol] = this;
    port[transferMode] = TRANSFERABLE;
    this.#wrap = new AsyncWrap("MESSAGEPORT", port);
    this.#data = data;
    this.setRef(true);
    if (typeof port[oninit] === "function") port[oninit]();
    data.listen(() => this.#trigger());
    if (data.queued > 0) this.#trigger();
  }

  get data(): PortData | undefined {
    return this.#data;
  }

  get isDetached(): boolean {
    return this.#data === undefined || this.#isClosing;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get asyncId(): number {
    return this.#wrap.getAsyncId();
  }

  start(): void {
    if (this.#data === undefined) return;
    this.#isReceiving = true;
    this.#data.setReceiving(true);
    if (this.#data.queued > 0) this.#trigger();
  }

  stop(): void {
    this.#isReceiving = false;
    this.#data?.setReceiving(false);
  }

  setRef(isRef: boolean): void {
    if (this.#isRef === isRef || this.#isClosed) return;
    this.#isRef = isRef;
    if (!this.#isClosing) addHandleRef(isRef ? 1 : -1);
  }

  /** Undefined once it is closed. */
  get isRef(): boolean | undefined {
    return this.#isClosed ? undefined : this.#isRef;
  }

  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (this.#isRef) addHandleRef(-1);
    closeSoon(() => this.#closed());
  }

  #closed(): void {
    this.#isClosed = true;
    const data = this.#detach();
    data?.disentangle();
    const { port }: { port: Any } = this;
    if (typeof port[onclose] === "function")
      inCallbackScope(() => AsyncWrap.within(this.#wrap, () => port[onclose]()));
    AsyncWrap.destroyed(this.#wrap);
  }

  #detach(): PortData | undefined {
    const data = this.#data;
    data?.listen(undefined);
    this.#data = undefined;
    return data;
  }

  /** Gives its data away; the port itself is over. */
  transfer(): PortData {
    this.close();
    const data = this.#detach();
    if (data === undefined) throw new TypeError("the port is closed");
    return data;
  }

  /** Has the loop deliver messages. */
  #trigger(): void {
    if (this.#isClosing || this.#isTriggered) return;
    this.#isTriggered = true;
    wakeSoon(() => {
      this.#isTriggered = false;
      this.deliver(false);
    });
  }

  /** Emits what is in the queue; with `isForced` also where nobody listens. */
  deliver(isForced: boolean): void {
    if (this.isDetached) return;
    let left = isForced ? Infinity : Math.max(this.#data?.queued ?? 0, AT_ONCE);
    while (this.#data !== undefined) {
      if (left === 0) return this.#trigger();
      left -= 1;
      const outcome = this.#emitNext(isForced);
      if (outcome === "none") return this.#data?.wait();
      if (outcome === "failed") {
        if (this.#data !== undefined) this.#trigger();
        return;
      }
    }
  }

  #emitNext(isForced: boolean): "none" | "failed" | "emitted" {
    const ports: object[] = [];
    let payload: unknown;
    try {
      payload = this.receive(isForced, ports);
    } catch (error) {
      this.#emit(error, undefined, "messageerror");
      return "failed";
    }
    if (payload === noMessage) return "none";
    return this.#emit(payload, ports, "message") ? "emitted" : "failed";
  }

  #emit(value: unknown, ports: object[] | undefined, type: string): boolean {
    return inCallbackScope(() =>
      AsyncWrap.within(this.#wrap, () =>
        perContext["emitMessage"].call(this.port, value, ports, type),
      ),
    );
  }

  /** The next message's value, or `noMessage`. */
  receive(isForced: boolean, ports?: object[]): unknown {
    const first = this.#data?.take(this.#isReceiving || isForced);
    if (first === undefined) return noMessage;
    if (first === CLOSE) {
      this.close();
      return noMessage;
    }
    return readMessage(first, openPort, ports);
  }
}

let openPort: (data: PortData) => object = () => ({});

/** How a port is made for data that came in a message. */
export function setOpenPort(open: typeof openPort): void {
  openPort = open;
}
