// The broker's door: every request that leaves a cell arrives here, is checked, served and answered.
import { KernelError } from "../../kernel/index.ts";
import { type Stream, StreamBreach, type StreamTable } from "../../streams/index.ts";
import {
  type BrokerCall,
  type BrokerServices,
  type Lane,
  parseRequest,
} from "../wire/broker-methods.ts";
import type { FromCell } from "../wire/from-cell.ts";
import { CHUNK_BYTES, type ToCell } from "../wire/messages.ts";

export interface CellRequestsOptions {
  readonly services: BrokerServices;
  readonly streams: StreamTable;
  /** What each lane takes at one time. */
  readonly limits: { readonly [L in Lane]: number };
  /** Sends at once; resolves when there is room for more. Calls `sent` when the body may be used again. */
  readonly reply: (message: ToCell, body?: Uint8Array, sent?: () => void) => Promise<void>;
  /** The cell has asked what no cell of ours asks. */
  readonly distrust: (what: string) => void;
  readonly log: (line: string) => void;
}

/** What Node reads of a socket at one time: a longer body came in parts and has been put together. */
const READ_BYTES = 1 << 16;

/** The requests of one cell. */
export class CellRequests {
  readonly #options: CellRequestsOptions;
  readonly #underWay = { toolkit: 0, command: 0, mount: 0 };
  #room: Promise<void> = Promise.resolve();

  constructor(options: CellRequestsOptions) {
    this.#options = options;
  }

  receive({ id, method, params }: Extract<FromCell, { type: "request" }>, body: Uint8Array): void {
    const { distrust, log, limits } = this.#options;
    const call = parseRequest(method, params);
    if (call === undefined) return distrust("an invalid request");
    const { lane } = call;
    if (this.#underWay[lane] >= limits[lane]) return distrust("more requests than it may have");
    if (body.length > CHUNK_BYTES) return distrust("a request that is too long");
    const stream = call.stream === undefined ? undefined : this.#accept(call.stream);
    this.#underWay[lane] += 1;
    // A small one is a view of what was read, and would hold all of that.
    const own = body.length > READ_BYTES ? body : body.slice();
    this.#answer(id, { method, call, body: own, stream })
      .catch((error: unknown) => log(`a request for ${method} has no answer: ${String(error)}`))
      .finally(() => {
        this.#underWay[lane] -= 1;
      });
    return undefined;
  }

  /** Throws StreamBreach when the cell has chosen a number that is not free. */
  #accept(id: number): Stream {
    return this.#options.streams.accept(id, { isIncomingOnDemand: true });
  }

  async #answer(id: number, request: ReceivedRequest): Promise<void> {
    // A cell that asks and does not read gets no more than what is under way.
    await this.#room;
    const { services, distrust, log } = this.#options;
    const { method, call, body, stream } = request;
    try {
      const { value, body: bytes, sent } = await call.serve(services, body, stream);
      this.#reply({ type: "reply", id, value }, bytes, sent);
    } catch (error) {
      stream?.close();
      if (error instanceof StreamBreach) return distrust(error.message);
      const isRefusal = error instanceof KernelError;
      if (!isRefusal) log(`${method} failed: ${String(error)}`);
      const { errno, reason } = isRefusal ? error : unknownFailure;
      this.#reply({ type: "refusal", id, errno, reason });
    }
    return undefined;
  }

  #reply(message: ToCell, body?: Uint8Array, sent?: () => void): void {
    const { reply, log } = this.#options;
    this.#room = reply(message, body, sent).catch((error: unknown) => log(String(error)));
  }
}

interface ReceivedRequest {
  readonly method: string;
  readonly call: BrokerCall;
  readonly body: Uint8Array;
  readonly stream: Stream | undefined;
}

const unknownFailure = new KernelError("EIO");
