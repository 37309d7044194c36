import type { Stream } from "../../src/streams/index.ts";
import { linkStreams } from "./linked-streams.ts";

/** A stream that a cell has opened with a request, both of its ends, and what came out at the cell's. */
export interface OpenedStream {
  readonly server: Stream;
  readonly cell: Stream;
  /** The pieces by their tags, until `take` is called: then what came since. */
  readonly pieces: { readonly tag: number; readonly bytes: Uint8Array }[];
  /** Resolves with what the server ended the stream with. */
  readonly ended: Promise<unknown>;
}

/** Opens streams between a server and a cell, as requests that open one do. */
export function makeOpener(): (options?: { readonly isTaking?: boolean }) => OpenedStream {
  const tables = linkStreams();
  return ({ isTaking = true } = {}) => {
    const cell = tables.cell.open({ isOutgoingOnDemand: true });
    const server = tables.server.accept(cell.id, { isIncomingOnDemand: true });
    const pieces: { tag: number; bytes: Uint8Array }[] = [];
    const { promise: ended, resolve, reject } = Promise.withResolvers<unknown>();
    ended.catch(() => undefined);
    if (isTaking) {
      cell.incoming.consume({
        take: (bytes, tag) => void pieces.push({ tag, bytes: bytes.slice() }),
        ended: resolve,
        failed: reject,
      });
    }
    return { server, cell, pieces, ended };
  };
}

/** The text of the pieces with this tag. */
export function textIn(stream: OpenedStream, tag: number): string {
  const bytes = stream.pieces.filter((piece) => piece.tag === tag).map((piece) => piece.bytes);
  return Buffer.concat(bytes).toString();
}
