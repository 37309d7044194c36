// Reading into buffers, however large: in pieces that the channel to the kernel carries at once.
import { CallError, call } from "../../channel.ts";
import { request } from "../../requests.ts";
import { CONTENT_BYTES } from "../../wire/layout.ts";
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

const about = { syscall: "read" };

/** Fills the buffers one after another; the bytes read. Fewer than asked for end it. */
export function readInto(
  req: Any,
  fd: number,
  buffers: readonly Uint8Array[],
  offset: number | null,
): unknown {
  const target = new Target(buffers, offset);
  if (req === undefined) return readNow(fd, target);
  if (req === kUsePromises) {
    return promised((resolve, fail) => readLater(fd, target, resolve, fail));
  }
  const request_: FSReqCallback = req;
  readLater(
    fd,
    target,
    (count) => complete(request_, count),
    (error) => reject(request_, error),
  );
  return undefined;
}

/** Where the next bytes go. */
class Target {
  readonly #buffers: readonly Uint8Array[];
  readonly #offset: number | null;
  readonly #total: number;
  #buffer = 0;
  #at = 0;
  done = 0;

  constructor(buffers: readonly Uint8Array[], offset: number | null) {
    this.#buffers = buffers;
    this.#offset = offset;
    this.#total = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  }

  get left(): number {
    return this.#total - this.done;
  }

  get offset(): number | null {
    return this.#offset === null ? null : this.#offset + this.done;
  }

  take(data: Uint8Array): void {
    let from = 0;
    this.done += data.length;
    while (from < data.length) {
      const buffer = this.#buffers[this.#buffer];
      if (buffer === undefined) return;
      const part = data.subarray(from, from + buffer.length - this.#at);
      buffer.set(part, this.#at);
      from += part.length;
      this.#at += part.length;
      if (this.#at >= buffer.length) {
        this.#buffer += 1;
        this.#at = 0;
      }
    }
  }
}

function readNow(fd: number, target: Target): number {
  try {
    for (;;) {
      const wished = Math.min(target.left, CONTENT_BYTES);
      const data: Uint8Array = call("read", fd, wished, target.offset);
      target.take(data);
      if (data.length < wished || target.left === 0) return target.done;
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (target.done > 0) return target.done;
    throw syncExceptionOf(about, error);
  }
}

function readLater(
  fd: number,
  target: Target,
  resolve: (count: number) => void,
  fail: (error: Error) => void,
): void {
  const wished = Math.min(target.left, CONTENT_BYTES);
  request("read", [fd, wished, target.offset], (error, data: Uint8Array) => {
    if (error !== undefined) {
      if (target.done > 0) resolve(target.done);
      else fail(exceptionOf(about, error));
      return;
    }
    target.take(data);
    if (data.length < wished || target.left === 0) resolve(target.done);
    else readLater(fd, target, resolve, fail);
  });
}
