// The events of a call: JSON objects, one to a line, on a tag of its stream. Runs on Node 20.
import type { FrameHeader } from "../../vm/wire/frame.ts";
import { LineSplitter } from "../lines.ts";
import { isObject } from "./shapes.ts";

/** Tags of bytes are the methods' own. */
export const EVENT_TAG = 0;
/** A few times what an approval can take with its input. */
const maxEventBytes = 1024 * 1024;

/** Throws where the event is longer than its reader takes. */
export function encodeEvent(event: FrameHeader): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(event)}\n`);
  if (line.length > maxEventBytes)
    throw new Error(`An event of a call is longer than ${maxEventBytes} bytes.`);
  return line;
}

/** Puts events together again, however their bytes are cut or joined. */
export class EventReader {
  readonly #lines = new LineSplitter(maxEventBytes);

  /** The events that are whole now. Copies the bytes. Throws on what is not an event. */
  push(bytes: Uint8Array): FrameHeader[] {
    return this.#lines.push(Buffer.from(bytes)).map((line) => {
      const event: unknown = JSON.parse(Buffer.concat(line).toString());
      if (!isObject(event)) throw new Error("An event of a call is not an object.");
      return event;
    });
  }
}
