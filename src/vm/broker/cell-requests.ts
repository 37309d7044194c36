// The broker's door: every request that leaves a cell arrives here, is checked, served and answered.
import { KernelError } from "../../kernel/index.ts";
import type { FromCell, ToCell } from "../wire/messages.ts";
import { type BrokerRequest, parseRequest } from "../wire/parse-request.ts";
import {
  type BrokerMethod,
  type BrokerMethods,
  type BrokerReply,
  REQUESTS_LIMIT,
} from "../wire/requests.ts";

/**
 * Who serves each method. A service checks against the VM's policy and grants of its own; it
 * refuses with a KernelError, whose errno and reason the guest may see.
 */
export type BrokerServices = {
  readonly [M in BrokerMethod]: (params: BrokerMethods[M]["params"]) => Promise<BrokerReply<M>>;
};

export interface CellRequestsOptions {
  readonly services: BrokerServices;
  /** Sends at once; resolves when there is room for more. */
  readonly reply: (message: ToCell, body?: Uint8Array) => Promise<void>;
  /** The cell has asked what no cell of ours asks. */
  readonly distrust: (what: string) => void;
  readonly log: (line: string) => void;
}

/** The requests of one cell. */
export class CellRequests {
  readonly #options: CellRequestsOptions;
  #underWay = 0;
  #room: Promise<void> = Promise.resolve();

  constructor(options: CellRequestsOptions) {
    this.#options = options;
  }

  receive({ id, method, params }: Extract<FromCell, { type: "request" }>): void {
    const { distrust, log } = this.#options;
    const request = parseRequest(method, params);
    if (request === undefined) return distrust("a request that is none");
    if (this.#underWay >= REQUESTS_LIMIT) return distrust("more requests than it may have");
    this.#underWay += 1;
    this.#answer(id, request)
      .catch((error: unknown) => log(`a request for ${method} has no answer: ${String(error)}`))
      .finally(() => {
        this.#underWay -= 1;
      });
    return undefined;
  }

  async #answer(id: number, request: BrokerRequest): Promise<void> {
    // A cell that asks and does not read gets no more than what is under way.
    await this.#room;
    try {
      const { value, body } = await this.#serve(request);
      this.#reply({ type: "reply", id, value }, body);
    } catch (error) {
      const isRefusal = error instanceof KernelError;
      if (!isRefusal) this.#options.log(`${request.method} failed: ${String(error)}`);
      const { errno, reason } = isRefusal ? error : unknownFailure;
      this.#reply({ type: "refusal", id, errno, reason });
    }
  }

  #reply(message: ToCell, body?: Uint8Array): void {
    const { reply, log } = this.#options;
    this.#room = reply(message, body).catch((error: unknown) => log(String(error)));
  }

  #serve(request: BrokerRequest): Promise<BrokerReply<BrokerMethod>> {
    const { services } = this.#options;
    switch (request.method) {
      case "listSoftware":
        return services.listSoftware(request.params);
      case "readSoftware":
        return services.readSoftware(request.params);
    }
  }
}

const unknownFailure = new KernelError("EIO");
