// Whole files in one request: reading, writing, copying a tree.
import type { CallError } from "../../channel.ts";
import { request } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { bytesOf, toBuffer } from "../buffer.ts";
import { pathOf } from "./check-arguments.ts";
import { copyFailure } from "./copy-failure.ts";
import { withoutFrames } from "./error-frames.ts";
import { type Any, endWith, exceptionOf } from "./operation.ts";
import { join } from "./whole-files.ts";
import { PIECE_BYTES, Source, writeLater } from "./write-bytes.ts";

const READ_BYTES = 1 << 20;

class Job extends AsyncWrap {
  declare ondone?: (...args: unknown[]) => void;

  constructor() {
    super("FSREQCALLBACK");
  }

  protected done(...args: unknown[]): void {
    endWith(this, () => this.ondone?.(...args));
  }
}

/** Reads a file that is not larger than `limit`; of a larger one it gives the fd and the size. */
export class ReadFileJob extends Job {
  readonly #path: Any;
  readonly #flags: number;
  readonly #limit: number;

  constructor(path: Any, flags: number, limit: number) {
    super();
    this.#path = path;
    this.#flags = flags;
    this.#limit = Math.max(0, limit);
  }

  run(): void {
    request("readFile", [pathOf(this.#path), this.#flags, this.#limit], (error, value) => {
      if (error !== undefined) {
        this.done(failureOf(error, this.#path, true), undefined, -1, undefined, undefined);
        return;
      }
      const [data, fd, size] = value;
      if (data === null) this.done(null, undefined, fd, size, undefined);
      else if (fd < 0) this.done(null, toBuffer(data), -1, undefined, undefined);
      else this.#readOn(fd, [data]);
    });
  }

  /** A file of unknown size goes on until its end. */
  #readOn(fd: number, parts: Uint8Array[]): void {
    request("read", [fd, READ_BYTES, null], (error, data: Uint8Array) => {
      if (error === undefined && data.length > 0) {
        parts.push(data);
        return this.#readOn(fd, parts);
      }
      const failure =
        error === undefined ? null : exceptionOf({ syscall: "read", path: this.#path }, error);
      request("close", [fd], () => {
        const buffer = failure === null ? toBuffer(join(parts)) : undefined;
        this.done(failure, buffer, -1, undefined, undefined);
      });
    });
  }
}

export class WriteFileJob extends Job {
  readonly #path: Any;
  readonly #flags: number;
  readonly #mode: number;
  readonly #data: ArrayBufferView;

  constructor(path: Any, flags: number, mode: number, data: ArrayBufferView) {
    super();
    this.#path = path;
    this.#flags = flags;
    this.#mode = mode;
    this.#data = data;
  }

  run(): void {
    const data = bytesOf(this.#data);
    if (data.length > PIECE_BYTES) return this.#runInPieces(data);
    const args = [pathOf(this.#path), data, this.#flags, this.#mode];
    request("writeFile", args, (error) => {
      this.done(error === undefined ? null : failureOf(error, this.#path, false));
    });
  }

  #runInPieces(data: Uint8Array): void {
    request("open", [pathOf(this.#path), this.#flags, this.#mode], (error, fd: number) => {
      if (error !== undefined) this.done(exceptionOf({ syscall: "open", path: this.#path }, error));
      else this.#writeOn(fd, data);
    });
  }

  #writeOn(fd: number, data: Uint8Array): void {
    const close = (failure: Error | null): void => {
      request("close", [fd], () => this.done(failure));
    };
    writeLater(
      fd,
      new Source([data], null),
      (count) => (count < data.length ? this.#writeOn(fd, data.subarray(count)) : close(null)),
      (error) => close(exceptionOf({ syscall: "write" }, error)),
    );
  }
}

/** The step that failed; the path stands in errors of opening, and of all steps of reading. */
function failureOf(error: CallError, path: unknown, isAlwaysNamed: boolean): Error {
  const syscall = error.detail ?? "open";
  return exceptionOf(isAlwaysNamed || syscall === "open" ? { syscall, path } : { syscall }, error);
}

export class CpDirJob extends Job {
  readonly #args: readonly Any[];

  constructor(...args: Any[]) {
    super();
    this.#args = args;
  }

  run(): void {
    const [from, to, ...options] = this.#args;
    const flags = options.slice(0, 5).map((option) => option === true);
    const args = [pathOf(from), pathOf(to), ...flags, true, options[5] ?? 0];
    request("copyTree", args, (error, why) => {
      if (error !== undefined)
        this.done(exceptionOf({ syscall: "cp", path: from }, error), undefined, undefined);
      else if (why === undefined) this.done(null, undefined, undefined);
      else if (why[0] === "special") this.done(null, why[1], why[2]);
      else
        this.done(
          withoutFrames(() => copyFailure(why)),
          undefined,
          undefined,
        );
    });
  }
}
