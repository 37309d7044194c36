// Writing buffers, however large: in pieces that the kernel takes without much memory of its own.
import { CallError, call } from "../../channel.ts";
import { request } from "../../requests.ts";
import {
  type Any,
  complete,
  exceptionOf,
  type FSReqCallback,
  kUsePromises,
  promised,
  reject,
  syncExceptionOf,
} from "./operation.ts";

/** Most writes are one piece. */
export const PIECE_BYTES = 4 << 20;
const about = { syscall: "write" };

/** Writes the buffers one after another; the bytes written. */
export function writeBytes(
  req: Any,
  fd: number,
  buffers: readonly Uint8Array[],
  offset: number | null,
): unknown {
  const source = new Source(buffers, offset);
  if (req === undefined) return writeSync(fd, source);
  if (req === kUsePromises) {
    return promised((resolve, fail) => {
      writeLater(fd, source, resolve, (error) => fail(exceptionOf(about, error)));
    });
  }
  const wrap: FSReqCallback = req;
  writeLater(
    fd,
    source,
    (count) => complete(wrap, count),
    (error) => reject(wrap, exceptionOf(about, error)),
  );
  return undefined;
}

/** What is still to be written, and where. */
export class Source {
  readonly #data: Uint8Array;
  readonly #offset: number | null;
  done = 0;

  constructor(buffers: readonly Uint8Array[], offset: number | null) {
    this.#data = joined(buffers);
    this.#offset = offset;
  }

  get isDone(): boolean {
    return this.done >= this.#data.length;
  }

  get piece(): Uint8Array {
    return this.#data.subarray(this.done, this.done + PIECE_BYTES);
  }

  get offset(): number | null {
    return this.#offset === null ? null : this.#offset + this.done;
  }
}

function writeSync(fd: number, source: Source): number {
  try {
    return writeNow(fd, source);
  } catch (error) {
    throw error instanceof CallError ? syncExceptionOf(about, error) : error;
  }
}

/** Throws CallError when nothing could be written. */
export function writeNow(fd: number, source: Source): number {
  try {
    do {
      const { piece } = source;
      const count: number = call("write", fd, piece, source.offset);
      source.done += count;
      if (count < piece.length) return source.done;
    } while (!source.isDone);
    return source.done;
  } catch (error) {
    if (source.done > 0 && error instanceof CallError) return source.done;
    throw error;
  }
}

export function writeLater(
  fd: number,
  source: Source,
  resolve: (count: number) => void,
  fail: (error: CallError) => void,
): void {
  const { piece } = source;
  request("write", [fd, piece, source.offset], (error, count: number) => {
    if (error !== undefined) {
      if (source.done > 0) resolve(source.done);
      else fail(error);
      return;
    }
    source.done += count;
    if (count < piece.length || source.isDone) resolve(source.done);
    else writeLater(fd, source, resolve, fail);
  });
}

function joined(buffers: readonly Uint8Array[]): Uint8Array {
  if (buffers.length === 1) return buffers[0] ?? new Uint8Array();
  const whole = new Uint8Array(buffers.reduce((sum, buffer) => sum + buffer.length, 0));
  let at = 0;
  for (const buffer of buffers) {
    whole.set(buffer, at);
    at += buffer.length;
  }
  return whole;
}
