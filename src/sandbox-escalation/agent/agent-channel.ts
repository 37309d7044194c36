import { KernelError } from "../../kernel/index.ts";
import { StreamReceiver, StreamSender, StreamStopped } from "../../streams/index.ts";
import { encodeNumbers, fromAgent, INPUT_WINDOW_BYTES, numberAt, toAgent } from "./agent-frames.ts";

/** Sends one frame for a channel. */
export type SendFrame = (kind: number, payload: Uint8Array) => void;

/**
 * One process of a sandbox, or one connection out of it, as the agent carries it: input within what the agent
 * grants, output and errors within what their readers grant, which is nothing until they are opened.
 */
export class AgentChannel {
  readonly output: StreamReceiver;
  readonly errors: StreamReceiver;
  readonly #input: StreamSender;

  constructor(send: SendFrame) {
    this.output = openReceiver(send, OUTPUT);
    this.errors = openReceiver(send, ERRORS);
    const data = (bytes: Uint8Array): void => send(toAgent.input, bytes);
    const end = (): void => send(toAgent.inputEnd, new Uint8Array(0));
    const last = (bytes: Uint8Array): void => {
      data(bytes);
      end();
    };
    this.#input = new StreamSender(
      { data, last, end, hasRoom: () => true },
      {
        creditBytes: INPUT_WINDOW_BYTES,
        windowBytes: INPUT_WINDOW_BYTES,
        pieceCostBytes: 0,
        pieceBytes: INPUT_WINDOW_BYTES,
        isOnDemand: false,
      },
    );
  }

  /** Waits while the agent has no room. EPIPE when nobody reads it. */
  async writeInput(bytes: Uint8Array): Promise<void> {
    try {
      await this.#input.write(bytes);
    } catch (error) {
      throw error instanceof StreamStopped ? new KernelError("EPIPE") : error;
    }
  }

  endInput(): void {
    this.#input.end();
  }

  /** What the agent said of this channel; frames of other kinds are the owner's. Throws StreamBreach. */
  take(kind: number, payload: Uint8Array): void {
    if (kind === fromAgent.output) pushBytes(this.output, payload);
    else if (kind === fromAgent.errors) pushBytes(this.errors, payload);
    else if (kind === fromAgent.outputEnd) this.output.end();
    else if (kind === fromAgent.errorsEnd) this.errors.end();
    else if (kind === fromAgent.inputGrant) this.#input.grant(numberAt(payload, 0));
    else if (kind === fromAgent.inputClosed) this.#input.stop();
  }

  /** Nothing comes any more: the agent is gone, or done with it. */
  end(): void {
    this.#input.stop();
    this.output.end();
    this.errors.end();
  }
}

/** The streams' numbers in frames. */
const OUTPUT = 1;
const ERRORS = 2;
/** Held for one stream at most: four of Linux's pipes, see pipe(7). */
const WINDOW_BYTES = 262_144;

function openReceiver(send: SendFrame, stream: number): StreamReceiver {
  return new StreamReceiver(
    {
      grant: (bytes) => send(toAgent.grant, encodeNumbers(stream, bytes)),
      stop: () => send(toAgent.close, encodeNumbers(stream)),
    },
    { creditBytes: 0, windowBytes: WINDOW_BYTES, pieceCostBytes: 0, isOnDemand: false },
  );
}

/** Frames without bytes cost an agent no credit, and say nothing. */
function pushBytes(receiver: StreamReceiver, bytes: Uint8Array): void {
  if (bytes.length > 0) receiver.push(bytes);
}
