import type { Duplex } from "node:stream";
import { FrameError } from "../wire/frame.ts";
import { FrameChannel } from "../wire/frame-channel.ts";
import type { ToCell } from "../wire/messages.ts";
import { Cell, type CellParts } from "./cell.ts";
import { CellWire } from "./cell-wire.ts";

export interface CellConnection extends Omit<CellParts, "wire"> {
  /** The cell's end of the wire; what it emits may be overwritten after its listeners return. */
  readonly stream: Duplex;
  /** Something could not be sent: the cell cannot go on. */
  readonly onLost: (error: unknown) => void;
}

export interface ConnectedCell {
  readonly cell: Cell;
  /** Resolves when the wire is gone; never rejects. */
  readonly closed: Promise<Error | undefined>;
}

/** Makes a cell that serves what comes over its wire, and says that it is ready. */
export function connectCell({ stream, onLost, ...parts }: CellConnection): ConnectedCell {
  const channel = new FrameChannel(stream, {
    reusesBuffers: true,
    onFrame: (header, body) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
      cell.receive(header as ToCell, body);
    },
    onRoom: () => wire.streams.roomAgain(),
    // Senders wait for room; what they hold until then counts as memory of the VM.
    maxQueuedBytes: Number.POSITIVE_INFINITY,
  });
  const wire = wireOf(channel, onLost);
  const cell = new Cell({ ...parts, wire });
  channel.post({ type: "ready" });
  return { cell, closed: channel.closed };
}

function wireOf(channel: FrameChannel, onLost: (error: unknown) => void): CellWire {
  const orLose = (send: () => void): void => {
    try {
      send();
    } catch (error) {
      // One message that is too large is its sender's problem; the wire is as it was.
      if (error instanceof FrameError && error.code !== "CLOSED") throw error;
      onLost(error);
    }
  };
  return new CellWire({
    send: (message, body, isGiven) =>
      orLose(() => channel.post(message, body, isGiven === true ? nothing : undefined)),
    sendFirst: (message) => orLose(() => channel.postFirst(message)),
    hasRoom: () => channel.hasRoom,
    untilRoom: () => channel.untilRoom(),
  });
}

const nothing = (): void => undefined;
