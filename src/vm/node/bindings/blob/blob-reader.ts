import { CallError, call } from "../../channel.ts";
import { uvNumber } from "../../errors.ts";
import { request } from "../../requests.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { type BlobPart, FilePart } from "./blob-parts.ts";

/** bob::Status of Node's C++. */
const EOS = 0;
const CONTINUE = 1;
const WAIT = 3;
const READ_BYTES = 65_536;

type Pulled = (status: number, data?: ArrayBuffer) => void;

/** Gives a blob's bytes, part after part. */
export class BlobReader extends AsyncWrap {
  readonly #parts: readonly BlobPart[];
  #index = 0;
  /** Of the present part, where it is in a file. */
  #fd = -1;
  #at = 0;

  constructor(parts: readonly BlobPart[]) {
    super("BLOBREADER");
    this.#parts = parts;
  }

  setWakeup(): void {}

  pull(callback: Pulled): number {
    const part = this.#parts[this.#index];
    if (part === undefined) return this.#tell(callback, EOS);
    if (part instanceof FilePart) return this.#pullFile(part, callback);
    this.#index += 1;
    return this.#tell(callback, CONTINUE, part.bytes.slice().buffer);
  }

  #tell(callback: Pulled, status: number, data?: ArrayBuffer): number {
    AsyncWrap.within(this, () => (data === undefined ? callback(status) : callback(status, data)));
    return status;
  }

  #pullFile(part: FilePart, callback: Pulled): number {
    try {
      if (this.#fd < 0) this.#fd = call("open", part.path, 0, 0);
      if (part.isChanged(call("fstat", this.#fd))) return this.#fail(callback, "EINVAL");
    } catch (error) {
      if (error instanceof CallError) return this.#fail(callback, error.code);
      throw error;
    }
    const left = part.length - this.#at;
    if (left <= 0) {
      this.#close();
      this.#index += 1;
      return this.pull(callback);
    }
    request(
      "read",
      [this.#fd, Math.min(left, READ_BYTES), part.start + this.#at],
      (error, data: Uint8Array) => {
        if (error !== undefined) this.#fail(callback, error.code);
        else this.#took(part, data, callback);
      },
    );
    return WAIT;
  }

  #took(part: FilePart, data: Uint8Array, callback: Pulled): void {
    if (this.#fd >= 0 && part.isChanged(call("fstat", this.#fd))) {
      this.#fail(callback, "EINVAL");
      return;
    }
    this.#at = data.length === 0 ? part.length : this.#at + data.length;
    if (data.length > 0) this.#tell(callback, CONTINUE, data.slice().buffer);
    else this.pull(callback);
  }

  #fail(callback: Pulled, code: string): number {
    this.#close();
    this.#index = this.#parts.length;
    return this.#tell(callback, uvNumber(code));
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = -1;
    this.#at = 0;
    if (fd >= 0) call("close", fd);
  }
}
