import { decodeText, type Sys } from "../../../kernel/index.ts";
import { MEMORY_LIMIT } from "../memory-limit.ts";

const CHUNK_BYTES = 65_536;
/** Of one line as it is shown: what is longer is cut there. */
const LINE_BYTES = 65_536;

/** The lines of an input, read as far as somebody looks. What is beyond the limit is not kept. */
export class LineStore {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #lines: string[] = [];
  #rest = "";
  #bytes = 0;
  isWhole = false;
  /** More came than may be kept. */
  isCut = false;

  constructor(sys: Sys, fd: number) {
    this.#sys = sys;
    this.#fd = fd;
  }

  /** Lines read so far. */
  get count(): number {
    return this.#lines.length;
  }

  /** Undefined beyond the end. */
  async line(at: number): Promise<string | undefined> {
    while (at >= this.#lines.length && !this.isWhole) await this.#read();
    return this.#lines[at];
  }

  async readAll(): Promise<void> {
    while (!this.isWhole) await this.#read();
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    const count = await this.#sys.read(this.#fd, buffer);
    this.#bytes += count;
    if (count === 0 || this.#bytes > MEMORY_LIMIT) {
      this.isCut = count > 0;
      this.isWhole = true;
      if (this.#rest !== "") this.#lines.push(this.#rest);
      this.#rest = "";
      return;
    }
    const parts = (this.#rest + decodeText(buffer.subarray(0, count))).split("\n");
    this.#rest = (parts.pop() ?? "").slice(0, LINE_BYTES);
    for (const part of parts) this.#lines.push(part.slice(0, LINE_BYTES));
  }
}
