// The broker's door: every request that leaves a cell arrives here, is checked, served and answered.
import { KernelError } from "../../kernel/index.ts";
import { CHUNK_BYTES, type FromCell, type ToCell } from "../wire/messages.ts";
import { type BrokerRequest, parseRequest } from "../wire/parse-request.ts";
import {
  type BrokerMethod,
  type BrokerMethods,
  type BrokerReply,
  type Lane,
  lanes,
} from "../wire/requests.ts";

/**
 * Who serves each method. A service checks against the VM's policy and grants of its own; it
 * refuses with a KernelError, whose errno and reason the guest may see.
 */
export type BrokerServices = {
  readonly [M in BrokerMethod]: (
    params: BrokerMethods[M]["params"],
    body: Uint8Array,
  ) => Promise<BrokerReply<M>>;
};

export interface CellRequestsOptions {
  readonly services: BrokerServices;
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
  readonly #underWay = { software: 0, toolkit: 0, command: 0, mount: 0 };
  #room: Promise<void> = Promise.resolve();

  constructor(options: CellRequestsOptions) {
    this.#options = options;
  }

  receive({ id, method, params }: Extract<FromCell, { type: "request" }>, body: Uint8Array): void {
    const { distrust, log, limits } = this.#options;
    const request = parseRequest(method, params);
    if (request === undefined) return distrust("a request that is none");
    const lane = lanes[request.method];
    if (this.#underWay[lane] >= limits[lane]) return distrust("more requests than it may have");
    if (body.length > CHUNK_BYTES) return distrust("a request that is too long");
    this.#underWay[lane] += 1;
    // A small one is a view of what was read, and would hold all of that.
    const own = body.length > READ_BYTES ? body : body.slice();
    this.#answer(id, request, own)
      .catch((error: unknown) => log(`a request for ${method} has no answer: ${String(error)}`))
      .finally(() => {
        this.#underWay[lane] -= 1;
      });
    return undefined;
  }

  async #answer(id: number, request: BrokerRequest, body: Uint8Array): Promise<void> {
    // A cell that asks and does not read gets no more than what is under way.
    await this.#room;
    try {
      const { value, body: bytes, sent } = await this.#serve(request, body);
      this.#reply({ type: "reply", id, value }, bytes, sent);
    } catch (error) {
      const isRefusal = error instanceof KernelError;
      if (!isRefusal) this.#options.log(`${request.method} failed: ${String(error)}`);
      const { errno, reason } = isRefusal ? error : unknownFailure;
      this.#reply({ type: "refusal", id, errno, reason });
    }
  }

  #reply(message: ToCell, body?: Uint8Array, sent?: () => void): void {
    const { reply, log } = this.#options;
    this.#room = reply(message, body, sent).catch((error: unknown) => log(String(error)));
  }

  #serve(request: BrokerRequest, body: Uint8Array): Promise<BrokerReply<BrokerMethod>> {
    const { services } = this.#options;
    switch (request.method) {
      case "listSoftware":
        return services.listSoftware(request.params, body);
      case "readSoftware":
        return services.readSoftware(request.params, body);
      case "putToolRequest":
        return services.putToolRequest(request.params, body);
      case "openToolCall":
        return services.openToolCall(request.params, body);
      case "nextToolEvents":
        return services.nextToolEvents(request.params, body);
      case "cancelToolCall":
        return services.cancelToolCall(request.params, body);
      case "putCommandStart":
        return services.putCommandStart(request.params, body);
      case "startCommand":
        return services.startCommand(request.params, body);
      case "nextCommandEvents":
        return services.nextCommandEvents(request.params, body);
      case "feedCommand":
        return services.feedCommand(request.params, body);
      case "tellCommand":
        return services.tellCommand(request.params, body);
      case "callMount":
        return services.callMount(request.params, body);
    }
  }
}

const unknownFailure = new KernelError("EIO");
