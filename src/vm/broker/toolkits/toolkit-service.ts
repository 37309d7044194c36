import { KernelError } from "../../../kernel/index.ts";
import {
  type DeviceRequest,
  REQUEST_LIMIT_BYTES,
  type ToolEvent,
} from "../../../toolkit-cli/index.ts";
import { readDeviceRequest } from "../../wire/device-request.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";
import type { BrokerMethods, BrokerReply, ToolEventsReply } from "../../wire/requests.ts";
import type { BrokerServices } from "../cell-requests.ts";
import { HeldBytes } from "./held-bytes.ts";
import type { ThreadShare } from "./thread-share.ts";
import { ToolCall } from "./tool-call.ts";
import { weighRequest } from "./weigh-request.ts";

/** Who in the VM calls, as its kernel says. */
export interface ToolCaller {
  readonly pid: number;
  readonly command: string;
  readonly audited: number;
  /** The size of the results that the VM was given for the call. */
  readonly resultBytes: () => number;
}

export interface ToolkitServiceParts {
  readonly maxToolCalls: number;
  readonly thread: ThreadShare;
  readonly serve: (
    request: DeviceRequest,
    caller: ToolCaller,
    signal: AbortSignal,
  ) => AsyncIterable<ToolEvent>;
  /** The cell does what no cell of ours does. */
  readonly distrust: (what: string) => void;
  readonly log: (line: string) => void;
}

type Methods = "putToolRequest" | "openToolCall" | "nextToolEvents" | "cancelToolCall";

const nothing = new Uint8Array(0);
const GAVE_UP = "The caller gave up.";

/** What the requests of one VM's calls under way may take in memory, and results that it has not taken. */
const REQUESTS_BYTES = 128 << 20;
const RESULTS_BYTES = 64 << 20;
/** Reading a longer request takes the server's thread noticeable time. */
const LONG_BYTES = 64 * 1024;

type Caller = Omit<BrokerMethods["openToolCall"]["params"], "call">;

interface OpenCall {
  readonly weight: number;
  /** Undefined while its request waits to be read. */
  call: ToolCall | undefined;
  isCancelled?: boolean;
}

/**
 * Serves one VM its calls of tools. A cell that has more calls than it may, sends a request that is too
 * long, or speaks of calls that are none, is ended.
 */
export class ToolkitService implements Pick<BrokerServices, Methods> {
  readonly #parts: ToolkitServiceParts;
  readonly #calls = new Map<number, OpenCall>();
  readonly #requests = new HeldBytes(REQUESTS_BYTES);
  readonly #results = new HeldBytes(RESULTS_BYTES);
  /** The request whose pieces are coming. */
  #put: { readonly call: number; readonly pieces: Uint8Array[]; bytes: number } | undefined;
  #isClosed = false;

  constructor(parts: ToolkitServiceParts) {
    this.#parts = parts;
  }

  async putToolRequest(
    { call }: BrokerMethods["putToolRequest"]["params"],
    body: Uint8Array,
  ): Promise<BrokerReply<"putToolRequest">> {
    if (this.#put?.call !== call) this.#put = { call, pieces: [], bytes: 0 };
    // The pieces of ours are full: small ones would be held by the million.
    if (body.length !== CHUNK_BYTES) throw this.#refuse("a piece of a request that is none");
    this.#put.bytes += body.length;
    if (this.#put.bytes > REQUEST_LIMIT_BYTES) throw this.#refuse("a request that is too long");
    this.#put.pieces.push(body);
    return { value: {}, body: nothing };
  }

  async openToolCall(
    { call: number, ...caller }: BrokerMethods["openToolCall"]["params"],
    body: Uint8Array,
  ): Promise<ToolEventsReply> {
    const line = this.#whole(number, body);
    if (this.#calls.has(number) || this.#calls.size >= this.#parts.maxToolCalls) {
      throw this.#refuse("a call too many");
    }
    const { thread } = this.#parts;
    const weight = thread.measure(() => weighRequest(line));
    const hasRoom = this.#requests.has(weight);
    const open: OpenCall = { weight: hasRoom ? weight : 0, call: undefined };
    this.#calls.set(number, open);
    this.#requests.add(open.weight);
    const read = (): DeviceRequest | undefined =>
      hasRoom && !this.#isClosed ? this.#readRequest(line) : undefined;
    const request = hasRoom && line.length > LONG_BYTES ? await thread.run(read) : read();
    if (this.#isClosed) throw new KernelError("EPIPE");
    open.call = this.#begin(caller, request);
    if (open.isCancelled === true) open.call.cancel(GAVE_UP);
    return this.#nextOf(number, open);
  }

  async nextToolEvents({
    call,
  }: BrokerMethods["nextToolEvents"]["params"]): Promise<ToolEventsReply> {
    const found = this.#calls.get(call);
    if (found?.call === undefined) throw this.#refuse("a call that is none");
    return this.#nextOf(call, found);
  }

  /** One that is over already needs no cancelling. */
  async cancelToolCall({
    call,
  }: BrokerMethods["cancelToolCall"]["params"]): Promise<BrokerReply<"cancelToolCall">> {
    const found = this.#calls.get(call);
    if (found !== undefined) found.isCancelled = true;
    found?.call?.cancel(GAVE_UP);
    return { value: {}, body: nothing };
  }

  /** The VM is gone: every call under way is given up. */
  close(): void {
    this.#isClosed = true;
    for (const { call } of this.#calls.values()) call?.drop("The VM is gone.");
    this.#calls.clear();
    this.#put = undefined;
  }

  /** Without a request there was no room for it. */
  #begin({ id, ...caller }: Caller, request: DeviceRequest | undefined): ToolCall {
    const { serve, log, thread } = this.#parts;
    const call: ToolCall = new ToolCall({
      id,
      thread,
      run: (signal) =>
        request === undefined
          ? refuseCall()
          : serve(request, { ...caller, resultBytes: () => call.resultBytes }, signal),
      room: this.#results,
      log,
    });
    return call;
  }

  async #nextOf(number: number, { call, weight }: OpenCall): Promise<ToolEventsReply> {
    if (call === undefined) throw new KernelError("EPIPE");
    const { bytes, isEnd } = await call.next();
    if (isEnd && this.#calls.delete(number)) this.#requests.give(weight);
    return { value: { isEnd }, body: bytes };
  }

  #readRequest(line: Uint8Array): DeviceRequest {
    const read = readDeviceRequest(Buffer.from(line).toString());
    if ("problem" in read) throw this.#refuse("a request to toolkits that is none");
    return read.request;
  }

  /** The request with the pieces that came before. */
  #whole(call: number, last: Uint8Array): Uint8Array {
    const put = this.#put;
    if (put?.call !== call) return last;
    this.#put = undefined;
    if (put.bytes + last.length > REQUEST_LIMIT_BYTES) {
      throw this.#refuse("a request that is too long");
    }
    return Buffer.concat([...put.pieces, last]);
  }

  #refuse(what: string): KernelError {
    this.#parts.distrust(what);
    return new KernelError("EINVAL", undefined, what);
  }
}

async function* refuseCall(): AsyncGenerator<ToolEvent> {
  yield {
    type: "error",
    code: "failed",
    message: "The inputs of this VM's calls under way take too much memory; wait for one to end.",
  };
}
