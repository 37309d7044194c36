import { plainText } from "./plain-text.ts";

/** The end of what a server writes to stderr, kept to say why it died. */
export class StderrTail {
  #bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#bytes = Buffer.from(Buffer.concat([this.#bytes, chunk]).subarray(-tailBytes));
  }

  text(): string {
    return plainText(this.#bytes.toString("utf8"));
  }
}

const tailBytes = 4096;
