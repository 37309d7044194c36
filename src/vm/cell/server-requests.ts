import { type Errno, KernelError } from "../../kernel/index.ts";
import { type Stream, StreamStopped } from "../../streams/index.ts";
import type { BrokerMethod, BrokerParams, BrokerReply, Lane } from "../wire/broker-methods.ts";
import { CHUNK_BYTES, type ToCell } from "../wire/messages.ts";
import { MOUNT_REQUESTS_LIMIT } from "../wire/mount-requests.ts";
import type { CellWire } from "./cell-wire.ts";
import { Turns } from "./turns.ts";

type StreamMethod = "toolkit.open" | "command.start";

interface LongBody {
  readonly body: Uint8Array;
  readonly stream: Stream;
  readonly sent?: () => void;
}

interface Pending {
  readonly lane: Lane;
  readonly into: Uint8Array | undefined;
  readonly resolve: (reply: { readonly value: unknown; readonly body: Uint8Array }) => void;
  readonly reject: (error: KernelError) => void;
}

/**
 * What the cell asks of the server. Of mounts, a few requests at a time: the others wait here.
 * Who asks for toolkits sees to it that no more are under way than the server takes. The server refuses with a
 * KernelError.
 */
export class ServerRequests {
  readonly #wire: Pick<CellWire, "send" | "streams">;
  readonly #pending = new Map<number, Pending>();
  readonly #turns: { readonly [L in Lane]?: Turns } = {
    mount: new Turns(MOUNT_REQUESTS_LIMIT),
  };
  #lastId = 0;
  #outsideEpoch = 0;

  constructor(wire: Pick<CellWire, "send" | "streams">) {
    this.#wire = wire;
  }

  /**
   * Fails as the server refuses; EAGAIN when far too many wait already. The answer's bytes are put where `into`
   * says, if they fit, else into memory of their own.
   */
  async request<M extends BrokerMethod>(
    method: M,
    params: BrokerParams<M>,
    body?: Uint8Array,
    into?: Uint8Array,
  ): Promise<BrokerReply<M>> {
    const lane = laneOf(method);
    const turns = this.#turns[lane];
    if (turns !== undefined) await turns.take();
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
      turns?.pass();
    }
  }

  /**
   * A stream for a request that opens one: what goes out on it is asked for by the server, piece by piece.
   * `hasNoOutput` where the request's body is all that the server gets.
   */
  openStream({ hasNoOutput = false } = {}): Stream {
    return this.#wire.streams.open({ isOutgoingOnDemand: true, hasNoOutput });
  }

  /**
   * A request that opens a stream and may be longer than a body: the rest goes by the stream. `sent` is called
   * once, when the body is not needed any more. As `request`; the stream is the caller's to close.
   */
  async requestByStream<M extends StreamMethod>(
    method: M,
    params: BrokerParams<M>,
    { body, stream, sent }: LongBody,
  ): Promise<void> {
    const answered = this.request(method, params, body.subarray(0, CHUNK_BYTES));
    const rest = body.subarray(CHUNK_BYTES);
    try {
      if (rest.length > 0) await Promise.race([answered, this.#sendRest(stream, rest)]);
    } finally {
      sent?.();
    }
    await answered;
  }

  async #sendRest(stream: Stream, rest: Uint8Array): Promise<void> {
    try {
      await stream.outgoing.write(rest);
    } catch (error) {
      // The answer says why the server did not want it.
      if (!(error instanceof StreamStopped)) throw error;
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

/** The server knows the lanes by its table; here the name says it. */
function laneOf(method: BrokerMethod): Lane {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every method's name begins with its lane
  return method.slice(0, method.indexOf(".")) as Lane;
}

function copyOf(body: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || body.length > into.length) return body.slice();
  into.set(body);
  return into.subarray(0, body.length);
}

function refusalOf(errno: Errno, reason: string | undefined): KernelError {
  return new KernelError(errno, undefined, reason);
}
