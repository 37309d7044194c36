import { KernelError } from "../../../kernel/index.ts";
import {
  type DeviceRequest,
  REQUEST_LIMIT_BYTES,
  type ToolEvent,
} from "../../../toolkit-cli/index.ts";
import { readDeviceRequest } from "../../wire/device-request.ts";
import type { BrokerMethods, BrokerReply, ToolEventsReply } from "../../wire/requests.ts";
import type { BrokerServices } from "../cell-requests.ts";
import { ToolCall } from "./tool-call.ts";

/** Who in the VM calls, as its kernel says. */
export interface ToolCaller {
  readonly pid: number;
  readonly command: string;
  readonly audited: number;
  /** What has been given to the VM for the call. */
  readonly sentBytes: () => number;
}

export interface ToolkitServiceParts {
  readonly maxToolCalls: number;
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

/**
 * Serves one VM its calls of tools. A cell that has more calls than it may, sends a request that is too
 * long, or speaks of calls that are none, is ended.
 */
export class ToolkitService implements Pick<BrokerServices, Methods> {
  readonly #parts: ToolkitServiceParts;
  readonly #calls = new Map<number, ToolCall>();
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
    this.#put.bytes += body.length;
    if (this.#put.bytes > REQUEST_LIMIT_BYTES) throw this.#refuse("a request that is too long");
    this.#put.pieces.push(body);
    return { value: {}, body: nothing };
  }

  async openToolCall(
    { call: number, ...caller }: BrokerMethods["openToolCall"]["params"],
    body: Uint8Array,
  ): Promise<ToolEventsReply> {
    const { maxToolCalls, serve, log } = this.#parts;
    if (this.#isClosed) throw new KernelError("EPIPE");
    const line = this.#whole(number, body);
    if (this.#calls.has(number) || this.#calls.size >= maxToolCalls) {
      throw this.#refuse("a call too many");
    }
    const read = readDeviceRequest(Buffer.from(line).toString());
    if ("problem" in read) throw this.#refuse("a request to toolkits that is none");
    const { request } = read;
    const call: ToolCall = new ToolCall({
      id: request.id,
      run: (signal) => serve(request, { ...caller, sentBytes: () => call.sentBytes }, signal),
      log,
    });
    this.#calls.set(number, call);
    return this.#nextOf(number, call);
  }

  async nextToolEvents({
    call,
  }: BrokerMethods["nextToolEvents"]["params"]): Promise<ToolEventsReply> {
    const found = this.#calls.get(call);
    if (found === undefined) throw this.#refuse("a call that is none");
    return this.#nextOf(call, found);
  }

  /** One that is over already needs no cancelling. */
  async cancelToolCall({
    call,
  }: BrokerMethods["cancelToolCall"]["params"]): Promise<BrokerReply<"cancelToolCall">> {
    this.#calls.get(call)?.cancel("The caller gave up.");
    return { value: {}, body: nothing };
  }

  /** The VM is gone: every call under way is given up. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#calls.values()) call.cancel("The VM is gone.");
    this.#calls.clear();
    this.#put = undefined;
  }

  async #nextOf(number: number, call: ToolCall): Promise<ToolEventsReply> {
    const { bytes, isEnd } = await call.next();
    if (isEnd) this.#calls.delete(number);
    return { value: { isEnd }, body: bytes };
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
