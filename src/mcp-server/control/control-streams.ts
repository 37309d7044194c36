// The streams of a control connection, on its channel. Runs on Node 20.
import { StreamTable } from "../../streams/index.ts";
import { FrameError } from "../../vm/wire/frame.ts";
import type { FrameChannel } from "../../vm/wire/frame-channel.ts";

/** The caller numbers streams from 1, the server would from 2. */
export function openStreams(channel: FrameChannel, firstId: 1 | 2): StreamTable {
  return new StreamTable(
    {
      send: (frame, body) => unlessClosed(() => channel.post(frame, body)),
      sendFirst: (frame) => unlessClosed(() => channel.postFirst(frame)),
      hasRoom: () => channel.hasRoom,
    },
    firstId,
  );
}

/** Streams end with their channel: what is said to nobody before they have is dropped. */
export function unlessClosed(post: () => void): void {
  try {
    post();
  } catch (error) {
    if (!(error instanceof FrameError) || error.code !== "CLOSED") throw error;
  }
}
