/** `@file` and `-`: values out of files of the VM and out of fd 0. */
import {
  decodeText,
  errnoWords,
  isKernelError,
  O_CLOEXEC,
  O_RDONLY,
  type Sys,
} from "../../kernel/index.ts";
import { REQUEST_LIMIT_BYTES } from "../device-protocol.ts";
import { type ValueEncoding, ValueProblem, type ValueSource } from "../flags/expand-words.ts";
import { plainText, sizeText } from "./plain-text.ts";

const READ_BYTES = 65_536;

export class GuestValues implements ValueSource {
  readonly #sys: Sys;
  #isStdinRead = false;

  constructor(sys: Sys) {
    this.#sys = sys;
  }

  async file(path: string, encoding: ValueEncoding = "text"): Promise<string> {
    let fd: number;
    try {
      fd = await this.#sys.open(path, O_RDONLY | O_CLOEXEC);
    } catch (error) {
      throw asProblem(error, path, " (@ reads a file; the text itself is written with @@)");
    }
    try {
      return await this.#readValue(fd, path, encoding);
    } finally {
      await this.#sys.close(fd);
    }
  }

  async stdin(encoding: ValueEncoding = "text"): Promise<string> {
    if (this.#isStdinRead) throw new ValueProblem("standard input is read by another value");
    this.#isStdinRead = true;
    return this.#readValue(0, "standard input", encoding);
  }

  async #readValue(fd: number, name: string, encoding: ValueEncoding): Promise<string> {
    const bytes = await this.#readAll(fd, name);
    if (encoding === "base64") return encodeBase64(bytes);
    const text = decodeText(bytes);
    if (text.isWellFormed()) return text;
    throw new ValueProblem(`${plainText(name)} is not UTF-8 text (pass it through base64 -w0?)`);
  }

  async #readAll(fd: number, name: string): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const into = new Uint8Array(READ_BYTES);
      const count = await this.#read(fd, into, name);
      if (count === 0) break;
      size += count;
      if (size > REQUEST_LIMIT_BYTES) {
        const limit = sizeText(REQUEST_LIMIT_BYTES);
        throw new ValueProblem(`${plainText(name)} is larger than a call may be (${limit})`);
      }
      parts.push(into.subarray(0, count));
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  async #read(fd: number, into: Uint8Array, name: string): Promise<number> {
    try {
      return await this.#sys.read(fd, into);
    } catch (error) {
      throw asProblem(error, name, "");
    }
  }
}

/** Bytes whose base64 has no padding, so that pieces can be joined. */
const PIECE_BYTES = 3 * 4096;

function encodeBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))));
  }
  return pieces.join("");
}

function asProblem(error: unknown, name: string, hint: string): unknown {
  if (!isKernelError(error)) return error;
  return new ValueProblem(`${plainText(name)}: ${errnoWords(error.errno)}${hint}`);
}
