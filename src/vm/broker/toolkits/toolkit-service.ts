import { KernelError } from "../../../kernel/index.ts";
import type { Stream } from "../../../streams/index.ts";
import {
  type DeviceRequest,
  REQUEST_LIMIT_BYTES,
  type ToolEvent,
} from "../../../toolkit-cli/index.ts";
import type { BrokerParams, BrokerReply, BrokerServices } from "../../wire/broker-methods.ts";
import { readDeviceRequest } from "../../wire/device-request.ts";
import { LongRequests } from "../long-requests.ts";
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

const nothing = { value: {}, body: new Uint8Array(0) };
const GAVE_UP = "The caller gave up.";

type Service = BrokerServices["toolkit"];

/** What the requests of one VM's calls under way may take in memory, and results that it has not taken. */
const REQUESTS_BYTES = 128 << 20;
const RESULTS_BYTES = 64 << 20;
/** Reading a longer request takes the server's thread noticeable time. */
const LONG_BYTES = 64 * 1024;

type Caller = Omit<BrokerParams<"toolkit.open">, "stream" | "bytes">;

interface OpenCall {
  /** Undefined while its request comes, or waits to be read. */
  call: ToolCall | undefined;
  isCancelled: boolean;
}

/**
 * Serves one VM its calls of tools, each on a stream of its own. A cell that has more calls than it may, or
 * sends a request that is too long or invalid, is ended.
 */
export class ToolkitService implements Service {
  readonly #parts: ToolkitServiceParts;
  /** By their streams. */
  readonly #calls = new Map<number, OpenCall>();
  readonly #requests = new HeldBytes(REQUESTS_BYTES);
  readonly #results = new HeldBytes(RESULTS_BYTES);
  readonly #long = new LongRequests();
  #isClosed = false;

  constructor(parts: ToolkitServiceParts) {
    this.#parts = parts;
  }

  async open(
    { stream: id, bytes, ...caller }: BrokerParams<"toolkit.open">,
    body: Uint8Array,
    stream: Stream,
  ): Promise<BrokerReply<"toolkit.open">> {
    if (this.#calls.size >= this.#parts.maxToolCalls) throw this.#refuse("a call too many");
    if (bytes > REQUEST_LIMIT_BYTES) throw this.#refuse("a request that is too long");
    const open: OpenCall = { call: undefined, isCancelled: false };
    this.#calls.set(id, open);
    // A request that is whole has nothing more to come, and needs no word about that.
    if (bytes === body.length) stream.incoming.end();
    try {
      const line = await this.#long.gather(body, bytes, stream.incoming);
      open.call = await this.#read(caller, line, stream);
    } catch (error) {
      this.#calls.delete(id);
      throw error;
    }
    if (open.isCancelled) open.call.cancel(GAVE_UP);
    return nothing;
  }

  /** One that is over already needs no cancelling. */
  async cancel({ stream }: BrokerParams<"toolkit.cancel">): Promise<BrokerReply<"toolkit.cancel">> {
    const found = this.#calls.get(stream);
    if (found !== undefined) found.isCancelled = true;
    found?.call?.cancel(GAVE_UP);
    return nothing;
  }

  /** The VM is gone: every call under way is given up. */
  close(): void {
    this.#isClosed = true;
    for (const { call } of this.#calls.values()) call?.cancel("The VM is gone.");
    this.#calls.clear();
  }

  /** Reads the request where there is room for it, and begins. */
  async #read(caller: Caller, line: Uint8Array, stream: Stream): Promise<ToolCall> {
    const { thread } = this.#parts;
    const weight = thread.measure(() => weighRequest(line));
    const hasRoom = this.#requests.has(weight);
    const held = hasRoom ? weight : 0;
    this.#requests.add(held);
    try {
      const read = (): DeviceRequest | undefined =>
        hasRoom && !this.#isClosed ? this.#readRequest(line) : undefined;
      const request = hasRoom && line.length > LONG_BYTES ? await thread.run(read) : read();
      if (this.#isClosed) throw new KernelError("EPIPE");
      return this.#begin(caller, request, { stream, held });
    } catch (error) {
      this.#requests.give(held);
      throw error;
    }
  }

  /** Without a request there was no room for it. */
  #begin(
    { id, ...caller }: Caller,
    request: DeviceRequest | undefined,
    { stream, held }: { readonly stream: Stream; readonly held: number },
  ): ToolCall {
    const { serve, log, thread } = this.#parts;
    const call: ToolCall = new ToolCall({
      id,
      thread,
      stream,
      run: (signal) =>
        request === undefined
          ? refuseCall()
          : serve(request, { ...caller, resultBytes: () => call.resultBytes }, signal),
      room: this.#results,
      over: () => {
        if (this.#calls.delete(stream.id)) this.#requests.give(held);
      },
      log,
    });
    return call;
  }

  #readRequest(line: Uint8Array): DeviceRequest {
    const read = readDeviceRequest(Buffer.from(line).toString());
    if ("problem" in read) throw this.#refuse("an invalid request to toolkits");
    return read.request;
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
