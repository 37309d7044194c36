// Newline-delimited text on byte streams: MCP on stdio, and the first line of every connection.
// Runs on Node 20.
import type { Socket } from "node:net";
import type { Writable } from "node:stream";

/** Larger than any message MCP clients take (the SDK's stop at 10 MB), small enough to hold. */
export const maxLineBytes = 64 * 1024 * 1024;

const newline = 0x0a;

/** How much of both ends of a line that is too long is kept. */
const endBytes = 1024;

/** A line in the pieces that it came in, its newline included: it is passed on without a copy. */
export type Line = readonly Buffer[];

export function joinLine(line: Line): Buffer {
  const [only] = line;
  return line.length === 1 && only !== undefined ? only : Buffer.concat(line);
}

/** Returns false when the stream is not read as fast as it is written. */
export function writeLine(stream: Writable, line: Line): boolean {
  stream.cork();
  for (const part of line) stream.write(part);
  stream.uncork();
  return !stream.writableNeedDrain;
}

/** The two ends of a line that was too long. */
export interface LongLine {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** A line over the limit; what was read of it is gone. */
export class LineTooLongError extends Error {
  constructor(limitBytes: number) {
    super(`A line is longer than ${limitBytes} bytes.`);
    this.name = "LineTooLongError";
  }
}

/** Cuts chunks into lines. Each byte is looked at once, and none is copied. */
export class LineSplitter {
  readonly #limitBytes: number;
  readonly #onLongLine: ((line: LongLine) => void) | undefined;
  #parts: Buffer[] = [];
  #partsBytes = 0;
  /** The line under way is too long: only its ends are kept. */
  #long: { readonly head: Buffer; tail: Buffer } | undefined;

  /** With `onLongLine`, a line that is too long is left out, and told of when it has ended. */
  constructor(limitBytes: number = maxLineBytes, onLongLine?: (line: LongLine) => void) {
    this.#limitBytes = limitBytes;
    this.#onLongLine = onLongLine;
  }

  /**
   * The lines this chunk completes; blank ones are left out. They share the chunk's memory. Throws
   * LineTooLongError where nobody is told of long lines.
   */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const line = this.#take(chunk.subarray(start, end + 1));
      if (line !== undefined && !line.every(isBlank)) lines.push(line);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** The line that this piece ends; undefined when it was too long. */
  #take(last: Buffer): Line | undefined {
    if (this.#parts.length === 0 && this.#long === undefined) return [last];
    // The newline does not count.
    this.#partsBytes -= 1;
    this.#keep(last);
    if (this.#long !== undefined) {
      this.#onLongLine?.(this.#long);
      this.#long = undefined;
      return undefined;
    }
    const line = this.#parts;
    this.#parts = [];
    this.#partsBytes = 0;
    return line;
  }

  #keep(part: Buffer): void {
    if (this.#long !== undefined) {
      this.#long.tail = endOf(Buffer.concat([this.#long.tail, part]));
      return;
    }
    this.#partsBytes += part.length;
    this.#parts.push(part);
    if (this.#partsBytes <= this.#limitBytes) return;
    if (this.#onLongLine === undefined) throw new LineTooLongError(this.#limitBytes);
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsBytes = 0;
    this.#long = { head: Buffer.from(line.subarray(0, endBytes)), tail: endOf(line) };
  }
}

/** A copy, so that the rest can go. */
function endOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(-endBytes));
}

/** JSON's white space; a carriage return comes from clients on Windows. */
function isBlank(part: Buffer): boolean {
  return part.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === newline);
}

/**
 * Reads the first line of a socket nobody else reads yet, and leaves the socket paused with the
 * rest unread. Rejects when the peer leaves first, when the line is longer than 32 KiB, and after
 * `limitMs`.
 */
export async function readFirstLine(socket: Socket, limitMs: number): Promise<string> {
  // A path of 4096 bytes, each of which JSON may write in six characters, and more.
  const splitLimitBytes = 32_768;
  let read = Buffer.alloc(0);
  return await new Promise((resolve, reject) => {
    const finish = (error: Error | undefined, line = ""): void => {
      clearTimeout(timer);
      socket.off("readable", onReadable).off("error", finish).off("end", onEnd).off("close", onEnd);
      if (error === undefined) resolve(line);
      else reject(error);
    };
    const onEnd = (): void => finish(new Error("The peer left before it said who it is."));
    const onReadable = (): void => {
      const chunk: unknown = socket.read();
      if (!Buffer.isBuffer(chunk)) return;
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(newline);
      if (end === -1 && read.length > splitLimitBytes)
        return finish(new LineTooLongError(splitLimitBytes));
      if (end === -1) return;
      const rest = read.subarray(end + 1);
      finish(undefined, read.toString("utf8", 0, end));
      if (rest.length > 0) socket.unshift(rest);
    };
    const timer = setTimeout(
      () => finish(new Error(`The peer said nothing for ${limitMs} ms.`)),
      limitMs,
    );
    socket.on("readable", onReadable).on("error", finish).on("end", onEnd).on("close", onEnd);
  });
}
