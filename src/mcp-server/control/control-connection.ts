// The server's side of a control connection: calls in, outputs and results out.
import type { Socket } from "node:net";
import { type Stream, StreamBreach, StreamStopped, type StreamTable } from "../../streams/index.ts";
import { HostError } from "../../vm/host-error.ts";
import { FrameError, type FrameHeader } from "../../vm/wire/frame.ts";
import { FrameChannel } from "../../vm/wire/frame-channel.ts";
import { EVENT_TAG, encodeEvent } from "./call-events.ts";
import { commandErrorText } from "./command-error-text.ts";
import { openStreams, unlessClosed } from "./control-streams.ts";
import {
  type CallerMessage,
  MalformedMessage,
  parseCallerMessage,
  type ServerMessage,
} from "./messages.ts";
import type { ControlCall, ControlMethod } from "./methods.ts";

export interface ControlConnectionOptions {
  readonly methods: ReadonlyMap<string, ControlMethod>;
  /** The parts of a call that do not depend on it. */
  readonly shared: Pick<ControlCall, "server" | "vms" | "approvals">;
  /** For errors that are our bugs; the caller only learns that there is one. */
  readonly logBug: (error: unknown) => void;
}

interface OpenCall {
  readonly stream: Stream;
  readonly abort: AbortController;
}

type CallMessage = Extract<CallerMessage, { readonly type: "call" }>;
type Answer = Extract<ServerMessage, { readonly call: number }>;

/** More calls at once than any command makes. */
const maxOpenCalls = 64;

/** One control connection. It lives until its peer leaves or `close` is called. */
export class ControlConnection {
  /** Resolves when the connection is over and its calls' signals are aborted. */
  readonly closed: Promise<void>;

  readonly #options: ControlConnectionOptions;
  readonly #channel: FrameChannel;
  readonly #streams: StreamTable;
  readonly #calls = new Map<number, OpenCall>();

  constructor(socket: Socket, options: ControlConnectionOptions) {
    this.#options = options;
    this.#channel = new FrameChannel(socket, {
      onFrame: (header, body) => this.#receive(header, body),
      onRoom: () => this.#streams.roomAgain(),
    });
    this.#streams = openStreams(this.#channel, 2);
    this.closed = this.#channel.closed.then((error) => this.#end(error));
    socket.resume();
  }

  /** Sends what is on its way, then closes. */
  async close(): Promise<void> {
    await this.#channel.close();
  }

  #receive(header: FrameHeader, body: Uint8Array): void {
    const message = parseCallerMessage(header);
    if (message.type === "call") return this.#start(message);
    if (message.type === "cancel") return this.#cancel(message.call);
    this.#streams.receive(message, body);
  }

  #start(message: CallMessage): void {
    const { call, isInputOnDemand = false } = message;
    if (this.#calls.has(call) || this.#calls.size >= maxOpenCalls) {
      throw new MalformedMessage(
        `A control connection numbers two calls alike, or has more than ${maxOpenCalls} at once.`,
      );
    }
    const stream = this.#streams.accept(call, { isIncomingOnDemand: isInputOnDemand });
    const open: OpenCall = { stream, abort: new AbortController() };
    this.#calls.set(call, open);
    this.#run(message, open)
      .catch((error: unknown) => this.#describe(error, call))
      .then((answer) => {
        this.#calls.delete(call);
        // The answer tells the caller that the stream is over.
        stream.lose();
        stream.incoming.stop();
        this.#answer(answer);
      })
      .catch((error: unknown) => this.#options.logBug(error));
  }

  /** The method gets no more input, and its caller no more output. */
  #cancel(call: number): void {
    const open = this.#calls.get(call);
    open?.abort.abort();
    open?.stream.close();
  }

  #answer(answer: Answer): void {
    // A caller that has left gets no answer.
    unlessClosed(() => {
      try {
        this.#channel.post(answer);
      } catch (error) {
        if (!(error instanceof FrameError) || error.code !== "HEADER_TOO_LARGE") throw error;
        this.#channel.post(this.#describe(error, answer.call));
      }
    });
  }

  async #run(message: CallMessage, { stream, abort }: OpenCall): Promise<Answer> {
    const { call, method: name, params, isInputOnDemand = false } = message;
    const method = this.#options.methods.get(name);
    if (method === undefined) {
      const words = `The server has no method "${name}".`;
      return { type: "error", call, code: "METHOD_NOT_FOUND", message: words };
    }
    const result = await method(params, {
      ...this.#options.shared,
      signal: abort.signal,
      input: stream.incoming,
      isInputOnDemand,
      output: stream.outgoing,
      tell: (event) => stream.outgoing.write(encodeEvent(event), EVENT_TAG),
    });
    return { type: "result", call, result };
  }

  /** An operator's problem is told as it is; anything else is ours, and stays in the log. */
  #describe(error: unknown, call: number): Answer {
    const known = commandErrorText(error);
    if (known !== undefined) {
      const code = error instanceof HostError ? error.code : "KERNEL_ERROR";
      return { type: "error", call, code, message: known };
    }
    const isAborted = error instanceof Error && error.name === "AbortError";
    if (isAborted || error instanceof StreamStopped) {
      return { type: "error", call, code: "CANCELLED", message: "The call was cancelled." };
    }
    this.#options.logBug(error);
    return {
      type: "error",
      call,
      code: "INTERNAL",
      message: "The server failed; its log says why.",
    };
  }

  /** Signals first: who then sees its input end knows that it is not all. */
  #end(cause: Error | undefined): void {
    const isBreach = cause instanceof MalformedMessage || cause instanceof StreamBreach;
    if (isBreach) this.#options.logBug(cause);
    for (const { abort } of this.#calls.values()) abort.abort();
    this.#streams.loseAll();
  }
}
