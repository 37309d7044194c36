// The server's side of a control connection: calls in, outputs and results out.
import type { Socket } from "node:net";
import { HostError } from "../../vm/host-error.ts";
import { FrameError, type FrameHeader } from "../../vm/wire/frame.ts";
import { FrameChannel } from "../../vm/wire/frame-channel.ts";
import { commandErrorText } from "./command-error-text.ts";
import { InputQueue } from "./input-queue.ts";
import { type CallerMessage, parseCallerMessage, type ServerMessage } from "./messages.ts";
import type { ControlCall, ControlMethod } from "./methods.ts";

export interface ControlConnectionOptions {
  readonly methods: ReadonlyMap<string, ControlMethod>;
  /** The parts of a call that do not depend on it. */
  readonly shared: Pick<ControlCall, "server" | "vms" | "approvals">;
  /** For errors that are our bugs; the caller only learns that there is one. */
  readonly logBug: (error: unknown) => void;
}

interface OpenCall {
  readonly input: InputQueue;
  readonly abort: AbortController;
}

/** More calls at once than any command makes. */
const maxOpenCalls = 64;

/** One control connection. It lives until its peer leaves or `close` is called. */
export class ControlConnection {
  /** Resolves when the connection is over and its calls' signals are aborted. */
  readonly closed: Promise<void>;

  readonly #options: ControlConnectionOptions;
  readonly #channel: FrameChannel;
  readonly #calls = new Map<number, OpenCall>();

  constructor(socket: Socket, options: ControlConnectionOptions) {
    this.#options = options;
    this.#channel = new FrameChannel(socket, {
      onFrame: (header, body) => this.#receive(header, body),
    });
    this.closed = this.#channel.closed.then(() => this.#abortCalls());
    socket.resume();
  }

  /** Sends what is on its way, then closes. */
  async close(): Promise<void> {
    await this.#channel.close();
  }

  #receive(header: FrameHeader, body: Uint8Array): void {
    const message = parseCallerMessage(header);
    if (message === undefined) throw new Error("A control connection sent a message that is none.");
    if (message.type === "call") return this.#start(message);
    const open = this.#calls.get(message.call);
    if (message.type === "cancel") open?.abort.abort();
    if (message.type === "inputEnd") open?.input.end();
    if (message.type === "input") open?.input.push({ event: message.event, body: body.slice() });
  }

  #start({ call, method, params }: CallerMessage & { type: "call" }): void {
    if (this.#calls.has(call) || this.#calls.size >= maxOpenCalls) {
      throw new Error("A control connection numbers its calls twice, or makes too many at once.");
    }
    const input = new InputQueue((cost) => this.#sendTaken(call, cost));
    const open: OpenCall = { input, abort: new AbortController() };
    this.#calls.set(call, open);
    this.#run(call, open, method, params)
      .catch((error: unknown) => this.#describe(error, call))
      .then(async (answer) => {
        this.#calls.delete(call);
        await this.#answer(answer);
      })
      // A caller that has left gets no answer.
      .catch(() => this.close());
  }

  async #answer(answer: ServerMessage): Promise<void> {
    try {
      await this.#channel.send({ ...answer });
    } catch (error) {
      if (!(error instanceof FrameError) || error.code !== "HEADER_TOO_LARGE") throw error;
      await this.#channel.send({ ...this.#describe(error, answer.call) });
    }
  }

  #sendTaken(call: number, cost: number): void {
    const taken: ServerMessage = { type: "taken", call, cost };
    this.#channel.send({ ...taken }).catch(() => this.close());
  }

  async #run(
    call: number,
    open: OpenCall,
    name: string,
    params: FrameHeader,
  ): Promise<ServerMessage> {
    const method = this.#options.methods.get(name);
    if (method === undefined) {
      return {
        type: "error",
        call,
        code: "METHOD_NOT_FOUND",
        message: `The server has no method "${name}".`,
      };
    }
    const send = async (event: FrameHeader, body?: Uint8Array): Promise<void> => {
      const output: ServerMessage = { type: "output", call, event };
      await this.#channel.send({ ...output }, body);
    };
    const result = await method(params, {
      ...this.#options.shared,
      signal: open.abort.signal,
      input: open.input,
      send,
    });
    return { type: "result", call, result };
  }

  /** An operator's problem is told as it is; anything else is ours, and stays in the log. */
  #describe(error: unknown, call: number): ServerMessage {
    const known = commandErrorText(error);
    if (known !== undefined) {
      const code = error instanceof HostError ? error.code : "KERNEL_ERROR";
      return { type: "error", call, code, message: known };
    }
    if (error instanceof Error && error.name === "AbortError") {
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

  #abortCalls(): void {
    for (const { abort, input } of this.#calls.values()) {
      abort.abort();
      input.end();
    }
  }
}
