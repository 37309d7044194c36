// A command's side of a control connection. Runs on Node 20.
import type { Socket } from "node:net";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { FrameChannel } from "../../vm/wire/frame-channel.ts";
import { connectToServer } from "../connect/connect-to-server.ts";
import type { ServerLaunch } from "../connect/start-server.ts";
import { parseServerMessage } from "./messages.ts";
import { ControlError, RunningCall } from "./running-call.ts";

/** Takes what a call sends on the way. While its promise is pending nothing more is read. */
export type OutputListener = (event: FrameHeader, body: Uint8Array) => void | Promise<void>;

interface OpenCall {
  readonly running: RunningCall;
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
    const running = new RunningCall(call, (message, body) =>
      this.#channel.send({ ...message }, body),
    );
    this.#calls.set(call, { running, onOutput });
    this.#channel.send({ type: "call", call, method, params }).catch((error: Error) => {
      this.#calls.delete(call);
      running.fail(new ControlError("SERVER_LOST", `The call could not be sent: ${error.message}`));
    });
    return running;
  }

  async close(): Promise<void> {
    await this.#channel.close();
  }

  #receive(header: FrameHeader, body: Uint8Array): void | Promise<void> {
    const message = parseServerMessage(header);
    if (message === undefined) throw new Error("The server sent a message that is none.");
    const open = this.#calls.get(message.call);
    if (open === undefined) return;
    if (message.type === "output") return open.onOutput?.(message.event, body);
    if (message.type === "taken") return open.running.noteTaken(message.cost);
    this.#calls.delete(message.call);
    if (message.type === "result") open.running.succeed(message.result);
    else open.running.fail(new ControlError(message.code, message.message));
  }

  #loseCalls(): void {
    const lost = [...this.#calls.values()];
    this.#calls.clear();
    for (const { running } of lost) {
      running.fail(
        new ControlError("SERVER_LOST", "The agentos-mcp server went away before it answered."),
      );
    }
  }
}

/** Connects to this home's server, starting it if there is none. Throws ServerUnavailableError. */
export async function openControl(launch: ServerLaunch): Promise<ControlClient> {
  return new ControlClient(await connectToServer("control", launch));
}
