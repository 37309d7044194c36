import type { CallOptions } from "./call-options.ts";
import { DeviceFile } from "./device-file.ts";
import { streamCall } from "./stream-call.ts";
import { errorOf, type ToolError } from "./tool-error.ts";
import { resultOf, valueOf } from "./tool-values.ts";

/** As many as the device takes before a write waits; the others wait here. */
const OPEN_LIMIT = 64;

interface Open {
  readonly id: number;
  readonly what: object;
  receive: (event: any) => void;
  fail: (error: unknown) => void;
  isSent: boolean;
  isGivenUp: boolean;
}

/**
 * The calls of this thread, all on one open device: requests are written at once, events are read while a
 * call waits for them. An idle one keeps no process alive.
 */
export class ToolDevice {
  readonly #Buffer: any;
  readonly #file: DeviceFile;
  readonly #open = new Map<number, Open>();
  readonly #waiting = new Set<Open>();
  #sent = 0;
  #lastId = 0;
  #isReading = false;

  constructor(Buffer: any) {
    this.#Buffer = Buffer;
    this.#file = new DeviceFile(Buffer);
  }

  /** How many wait for their result. */
  get callsUnderWay(): number {
    const sent = [...this.#open.values()].filter(({ isGivenUp }) => !isGivenUp);
    return sent.length + this.#waiting.size;
  }

  /** The result of a request. ToolError, or the signal's reason. */
  async call(what: object, { signal, onEvent }: CallOptions = {}): Promise<any> {
    signal?.throwIfAborted();
    const one = this.#make(what);
    const chunks: unknown[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<any>();
    one.fail = reject;
    one.receive = (event) => {
      if (event.type === "result" || event.type === "error") resolve(event);
      else if (event.type === "chunk") chunks.push(valueOf(event.value, this.#Buffer));
      else onEvent?.(event);
    };
    const abort = (): void => {
      reject(signal?.reason);
      this.#giveUp(one);
    };
    signal?.addEventListener("abort", abort, { once: true });
    try {
      this.#send(one);
      const last = await promise;
      // Made here, an error's stack has the lines that wait for the call.
      if (last.type === "error") throw errorOf(last);
      return resultOf(last, chunks, this.#Buffer);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Parts of a streamed result. */
  stream(what: object, options?: CallOptions): AsyncGenerator<unknown, void> {
    return streamCall(this.#Buffer, what, options);
  }

  #make(what: object): Open {
    this.#lastId += 1;
    const nobody = (): void => undefined;
    return {
      id: this.#lastId,
      what,
      receive: nobody,
      fail: nobody,
      isSent: false,
      isGivenUp: false,
    };
  }

  #send(one: Open): void {
    if (this.#sent >= OPEN_LIMIT) {
      this.#waiting.add(one);
      return;
    }
    this.#file.write({ id: one.id, ...one.what });
    one.isSent = true;
    this.#sent += 1;
    this.#open.set(one.id, one);
    this.#read();
  }

  /** Its last event comes all the same: until then it is counted, and nobody hears of it. */
  #giveUp(one: Open): void {
    this.#waiting.delete(one);
    one.isGivenUp = true;
    one.receive = () => undefined;
    if (one.isSent) this.#file.write({ id: one.id, op: "cancel" });
  }

  #read(): void {
    if (this.#isReading || this.#sent === 0) return;
    this.#isReading = true;
    this.#file.read((error, events) => {
      this.#isReading = false;
      if (error !== undefined) return this.#failAll(error);
      for (const event of events) this.#receive(event);
      return this.#read();
    });
  }

  #receive(event: any): void {
    const one = this.#open.get(event.id);
    if (one === undefined) return;
    if (event.type === "result" || event.type === "error") this.#forget(one);
    one.receive(event);
  }

  #forget(one: Open): void {
    this.#open.delete(one.id);
    this.#sent -= 1;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next);
    try {
      this.#send(next);
    } catch (error) {
      next.fail(error);
    }
  }

  #failAll(error: ToolError): void {
    const all = [...this.#open.values(), ...this.#waiting];
    this.#open.clear();
    this.#waiting.clear();
    this.#sent = 0;
    for (const one of all) one.fail(error);
  }
}
