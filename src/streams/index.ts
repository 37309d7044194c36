/** Streams of bytes between two processes of ours, held back by credit. Imports nothing; runs on Node 20. */
export { GrowingBytes } from "./growing-bytes.ts";
export { StreamBreach } from "./stream-breach.ts";
export { StreamReceiver, type TakePiece } from "./stream-receiver.ts";
export { StreamSender, StreamStopped } from "./stream-sender.ts";
export {
  LOST,
  PIECE_BYTES,
  PIECE_COST_BYTES,
  STREAM_WINDOW_BYTES,
  Stream,
  type StreamFrame,
  StreamTable,
} from "./stream-table.ts";
