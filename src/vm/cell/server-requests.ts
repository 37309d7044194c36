import { type Errno, KernelError } from "../../kernel/index.ts";
import type { FromCell, ToCell } from "../wire/messages.ts";
import {
  type BrokerMethod,
  type BrokerMethods,
  type BrokerReply,
  type Lane,
  lanes,
  REQUESTS_LIMIT,
} from "../wire/requests.ts";

/** Requests that wait for one under way to end; guests' calls wait with them. */
const WAITING_LIMIT = 16_384;

interface Pending {
  readonly resolve: (reply: { readonly value: unknown; readonly body: Uint8Array }) => void;
  readonly reject: (error: KernelError) => void;
}

/**
 * What the cell asks of the server. Of software, a few requests at a time: the others wait here. Who asks
 * for toolkits sees to it that no more are under way than the server takes. The server refuses with a
 * KernelError.
 */
export class ServerRequests {
  readonly #send: (message: FromCell, body?: Uint8Array) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #waiting: (() => void)[] = [];
  #lastId = 0;
  #underWay = 0;

  constructor(send: (message: FromCell, body?: Uint8Array) => void) {
    this.#send = send;
  }

  /** Fails as the server refuses; EAGAIN when far too many wait already. */
  async request<M extends BrokerMethod>(
    method: M,
    params: BrokerMethods[M]["params"],
    body?: Uint8Array,
  ): Promise<BrokerReply<M>> {
    const lane = lanes[method];
    if (lane === "software") await this.#turn();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<{
      value: unknown;
      body: Uint8Array;
    }>();
    this.#pending.set(id, { resolve, reject });
    try {
      this.#send({ type: "request", id, method, params }, body);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
      return (await promise) as BrokerReply<M>;
    } finally {
      this.#pending.delete(id);
      this.#passTurn(lane);
    }
  }

  /** The body is a view of what was read: it is copied. */
  receive(message: Extract<ToCell, { type: "reply" | "refusal" }>, body: Uint8Array): void {
    const pending = this.#pending.get(message.id);
    if (message.type === "reply") pending?.resolve({ value: message.value, body: body.slice() });
    else pending?.reject(refusalOf(message.errno, message.reason));
  }

  async #turn(): Promise<void> {
    if (this.#underWay < REQUESTS_LIMIT) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.length >= WAITING_LIMIT) throw new KernelError("EAGAIN");
    // Whoever ends passes its turn on: the number under way stays.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #passTurn(lane: Lane): void {
    if (lane !== "software") return;
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next();
  }
}

function refusalOf(errno: Errno, reason: string | undefined): KernelError {
  return new KernelError(errno, undefined, reason);
}
