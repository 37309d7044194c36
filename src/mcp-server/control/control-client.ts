// A command's side of a control connection. Runs on Node 20.
import type { Socket } from "node:net";
import { StreamBreach, type StreamTable, type TakePiece } from "../../streams/index.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { FrameChannel } from "../../vm/wire/frame-channel.ts";
import { connectToServer } from "../connect/connect-to-server.ts";
import type { ServerLaunch } from "../connect/start-server.ts";
import { EVENT_TAG, EventReader } from "./call-events.ts";
import { openStreams, unlessClosed } from "./control-streams.ts";
import { type CallerMessage, MalformedMessage, parseServerMessage } from "./messages.ts";
import { ControlError, RunningCall } from "./running-call.ts";

/** What becomes of a call's output, in its order. Without a taker it is dropped. */
export interface CallOptions {
  readonly onEvent?: (event: FrameHeader) => void;
  readonly onBytes?: TakePiece;
  /** The server lets input come a piece at a time, when the method asks for it. */
  readonly isInputOnDemand?: boolean;
}

/** One control connection. Close it, or the process does not end. */
export class ControlClient {
  readonly #channel: FrameChannel;
  readonly #streams: StreamTable;
  readonly #calls = new Map<number, RunningCall>();

  /** Takes over a socket that the server has welcomed. */
  constructor(socket: Socket) {
    this.#channel = new FrameChannel(socket, {
      onFrame: (header, body) => this.#receive(header, body),
      onRoom: () => this.#streams.roomAgain(),
    });
    this.#streams = openStreams(this.#channel, 1);
    this.#channel.closed
      .then((error) => this.#loseCalls(error))
      .catch((error: Error) => process.emitWarning(error));
    socket.resume();
  }

  /** Calls a method of the server; see control/methods.ts. */
  call(method: string, params: FrameHeader = {}, options: CallOptions = {}): RunningCall {
    const { isInputOnDemand = false } = options;
    const stream = this.#streams.open({ isOutgoingOnDemand: isInputOnDemand });
    const call = stream.id;
    const running = new RunningCall({
      stream,
      take: takerOf(options),
      cancel: () => unlessClosed(() => this.#postFirst({ type: "cancel", call })),
    });
    this.#calls.set(call, running);
    try {
      this.#postFirst({ type: "call", call, method, params, isInputOnDemand });
    } catch (error) {
      this.#calls.delete(call);
      const why = `The call could not be sent: ${error instanceof Error ? error.message : String(error)}`;
      running.end({ error: new ControlError("SERVER_LOST", why) });
    }
    return running;
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  /** Ahead of data: a cancel is for a method that takes none, and must not pass the call it is for. */
  #postFirst(message: CallerMessage): void {
    this.#channel.postFirst(message);
  }

  #receive(header: FrameHeader, body: Uint8Array): void {
    const message = parseServerMessage(header);
    if (message.type === "result") {
      return this.#take(message.call)?.end({ result: message.result });
    }
    if (message.type === "error") {
      const { code, message: words } = message;
      return this.#take(message.call)?.end({ error: new ControlError(code, words) });
    }
    this.#streams.receive(message, body);
  }

  #take(call: number): RunningCall | undefined {
    const running = this.#calls.get(call);
    this.#calls.delete(call);
    return running;
  }

  #loseCalls(cause: Error | undefined): void {
    const isOurs = cause instanceof MalformedMessage || cause instanceof StreamBreach;
    const why = isOurs
      ? `The agentos-mcp server was not understood: ${cause.message}`
      : "The agentos-mcp server went away before it answered.";
    const lost = [...this.#calls.values()];
    this.#calls.clear();
    for (const running of lost) running.end({ error: new ControlError("SERVER_LOST", why) });
  }
}

function takerOf({ onEvent, onBytes }: CallOptions): TakePiece {
  const events = new EventReader();
  return (bytes, tag) => {
    if (tag !== EVENT_TAG) return onBytes?.(bytes, tag);
    for (const event of events.push(bytes)) onEvent?.(event);
  };
}

/** Connects to this home's server, starting it if there is none. Throws ServerUnavailableError. */
export async function openControl(launch: ServerLaunch): Promise<ControlClient> {
  return new ControlClient(await connectToServer({ role: "control" }, launch));
}
