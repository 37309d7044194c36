// A command's side of a control connection. Runs on Node 20.
import type { Socket } from "node:net";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { FrameChannel } from "../../vm/wire/frame-channel.ts";
import { connectToServer } from "../connect/connect-to-server.ts";
import type { ServerLaunch } from "../connect/start-server.ts";
import { type CallerMessage, parseServerMessage } from "./messages.ts";

/** A call that failed on the server. `code` is a HostError's, or METHOD_NOT_FOUND, CANCELLED, INTERNAL, SERVER_LOST. */
export class ControlError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "ControlError";
    this.code = code;
  }
}

/** Takes what a call sends on the way. While its promise is pending nothing more is read. */
export type OutputListener = (event: FrameHeader, body: Uint8Array) => void | Promise<void>;

/** A call that runs on the server. */
export interface RunningCall {
  /** What the method returned. Rejects with ControlError. */
  readonly result: Promise<unknown>;
  /** Sends input to the method; waits while the server does not read. */
  send(event: FrameHeader, body?: Uint8Array): Promise<void>;
  /** Says that no more input comes. */
  endInput(): Promise<void>;
  /** Aborts the method's signal; `result` settles when the method has. */
  cancel(): Promise<void>;
}

interface OpenCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ControlError) => void;
  readonly onOutput: OutputListener | undefined;
}

/** One control connection. Close it, or the process does not end. */
export class ControlClient {
  readonly #channel: FrameChannel;
  readonly #calls = new Map<number, OpenCall>();
  #lastCall = 0;

  /** Takes over a socket that the server has welcomed. */
  constructor(socket: Socket) {
    this.#channel = new FrameChannel(socket, {
      onFrame: (header, body) => this.#receive(header, body),
    });
    this.#channel.closed
      .then(() => this.#loseCalls())
      .catch((error: Error) => process.emitWarning(error));
    socket.resume();
  }

  /** Calls a method of the server; see control/methods.ts. */
  call(method: string, params: FrameHeader = {}, onOutput?: OutputListener): RunningCall {
    this.#lastCall += 1;
    const call = this.#lastCall;
    const result = new Promise<unknown>((resolve, reject) => {
      this.#calls.set(call, { resolve, reject, onOutput });
    });
    this.#send({ type: "call", call, method, params }).catch(() => this.#loseCalls());
    return {
      result,
      send: (event, body) => this.#send({ type: "input", call, event }, body),
      endInput: () => this.#send({ type: "inputEnd", call }),
      cancel: () => this.#send({ type: "cancel", call }),
    };
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  async #send(message: CallerMessage, body?: Uint8Array): Promise<void> {
    await this.#channel.send({ ...message }, body);
  }

  #receive(header: FrameHeader, body: Uint8Array): void | Promise<void> {
    const message = parseServerMessage(header);
    if (message === undefined) throw new Error("The server sent a message that is none.");
    const open = this.#calls.get(message.call);
    if (open === undefined) return;
    if (message.type === "output") return open.onOutput?.(message.event, body);
    this.#calls.delete(message.call);
    if (message.type === "result") open.resolve(message.result);
    else open.reject(new ControlError(message.code, message.message));
  }

  #loseCalls(): void {
    const lost = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of lost) {
      reject(
        new ControlError("SERVER_LOST", "The agentos-mcp server went away before it answered."),
      );
    }
  }
}

/** Connects to this home's server, starting it if there is none. Throws ServerUnavailableError. */
export async function openControl(launch: ServerLaunch): Promise<ControlClient> {
  return new ControlClient(await connectToServer("control", launch));
}
