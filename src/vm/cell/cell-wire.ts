import { type StreamFrame, StreamTable } from "../../streams/index.ts";
import type { FromCell } from "../wire/from-cell.ts";

/** How frames leave a cell. */
export interface FrameSender {
  /** In order, without waiting. `isGiven`: the body is the wire's from now on; else it is copied. */
  readonly send: (message: FromCell, body?: Uint8Array, isGiven?: boolean) => void;
  /** Ahead of whatever waits to be sent. */
  readonly sendFirst: (message: StreamFrame) => void;
  /** Whether senders that can wait may send now. */
  readonly hasRoom: () => boolean;
  /** Resolves when little waits to be sent. */
  readonly untilRoom: () => Promise<void>;
}

/** A cell's end of the wire: messages, and the streams that it has with the server. */
export class CellWire {
  /** The server numbers its streams from 1. */
  readonly streams: StreamTable;
  readonly #sender: FrameSender;

  constructor(sender: FrameSender) {
    this.#sender = sender;
    this.streams = new StreamTable(sender, 2);
  }

  send(message: FromCell, body?: Uint8Array): void {
    this.#sender.send(message, body);
  }

  hasRoom(): boolean {
    return this.#sender.hasRoom();
  }

  untilRoom(): Promise<void> {
    return this.#sender.untilRoom();
  }
}
