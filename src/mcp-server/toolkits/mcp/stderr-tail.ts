/** The end of what a server writes to stderr, kept to say why it died. */
export class StderrTail {
  #bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.#bytes = Buffer.from(Buffer.concat([this.#bytes, chunk]).subarray(-tailBytes));
  }

  /** What can be printed of it, without colours and control characters. */
  text(): string {
    return this.#bytes.toString("utf8").replace(escapes, "").replace(controls, "").trim();
  }
}

const tailBytes = 4096;
// eslint-disable-next-line no-control-regex -- these are what it takes out
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]/g;
// eslint-disable-next-line no-control-regex -- these are what it takes out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
