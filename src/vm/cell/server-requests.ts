import { type Errno, KernelError } from "../../kernel/index.ts";
import type { ToCell } from "../wire/messages.ts";
import { MOUNT_REQUESTS_LIMIT } from "../wire/mount-requests.ts";
import {
  type BrokerMethod,
  type BrokerMethods,
  type BrokerReply,
  type Lane,
  lanes,
  REQUESTS_LIMIT,
} from "../wire/requests.ts";
import type { CellWire } from "./cell-wire.ts";
import { Turns } from "./turns.ts";

interface Pending {
  readonly lane: Lane;
  readonly into: Uint8Array | undefined;
  readonly resolve: (reply: { readonly value: unknown; readonly body: Uint8Array }) => void;
  readonly reject: (error: KernelError) => void;
}

/**
 * What the cell asks of the server. Of software and mounts, a few requests at a time: the others wait here.
 * Who asks for toolkits sees to it that no more are under way than the server takes. The server refuses with a
 * KernelError.
 */
export class ServerRequests {
  readonly #wire: Pick<CellWire, "send">;
  readonly #pending = new Map<number, Pending>();
  readonly #turns: { readonly [L in Lane]?: Turns } = {
    software: new Turns(REQUESTS_LIMIT),
    mount: new Turns(MOUNT_REQUESTS_LIMIT),
  };
  #lastId = 0;
  #outsideEpoch = 0;

  constructor(wire: Pick<CellWire, "send">) {
    this.#wire = wire;
  }

  /**
   * Fails as the server refuses; EAGAIN when far too many wait already. The answer's bytes are put where `into`
   * says, if they fit, else into memory of their own.
   */
  async request<M extends BrokerMethod>(
    method: M,
    params: BrokerMethods[M]["params"],
    body?: Uint8Array,
    into?: Uint8Array,
  ): Promise<BrokerReply<M>> {
    const lane = lanes[method];
    await this.#turns[lane]?.take();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<{
      value: unknown;
      body: Uint8Array;
    }>();
    this.#pending.set(id, { lane, into, resolve, reject });
    try {
      this.#wire.send({ type: "request", id, method, params }, body);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
      return (await promise) as BrokerReply<M>;
    } finally {
      this.#pending.delete(id);
      this.#turns[lane]?.pass();
    }
  }

  /** The body is a view of what was read: it is copied. */
  receive(message: Extract<ToCell, { type: "reply" | "refusal" }>, body: Uint8Array): void {
    const pending = this.#pending.get(message.id);
    if (pending?.lane === "toolkit" || pending?.lane === "command") this.outsideChanged();
    if (message.type === "reply") {
      pending?.resolve({ value: message.value, body: copyOf(body, pending.into) });
    } else pending?.reject(refusalOf(message.errno, message.reason));
  }

  /** Moves when the host may have changed files that it shares: a tool or a command of its own has answered. */
  get outsideEpoch(): number {
    return this.#outsideEpoch;
  }

  outsideChanged(): void {
    this.#outsideEpoch += 1;
  }
}

function copyOf(body: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || body.length > into.length) return body.slice();
  into.set(body);
  return into.subarray(0, body.length);
}

function refusalOf(errno: Errno, reason: string | undefined): KernelError {
  return new KernelError(errno, undefined, reason);
}
