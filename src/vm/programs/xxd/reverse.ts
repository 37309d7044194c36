import { isKernelError, SEEK_SET, type Sys } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";

const FULL_BYTES = 65_536;

/** Bytes at places of a file; what cannot be sought is filled with zeros. */
class PlacedOutput {
  readonly #sys: Sys;
  readonly #fd: number;
  readonly #buffer = new Uint8Array(FULL_BYTES);
  #length = 0;
  #at = 0;

  constructor(sys: Sys, fd: number) {
    this.#sys = sys;
    this.#fd = fd;
  }

  async put(place: number, byte: number): Promise<void> {
    if (place !== this.#at) await this.#move(place);
    if (this.#length === FULL_BYTES) await this.flush();
    this.#buffer[this.#length++] = byte;
    this.#at += 1;
  }

  async flush(): Promise<void> {
    const length = this.#length;
    this.#length = 0;
    await writeAll(this.#sys, this.#fd, this.#buffer.subarray(0, length));
  }

  async #move(place: number): Promise<void> {
    await this.flush();
    try {
      await this.#sys.seek(this.#fd, place, SEEK_SET);
      this.#at = place;
      return;
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
    if (place < this.#at)
      throw new UsageError("Sorry, cannot seek backwards.", { status: 5, hasHint: false });
    const zeros = new Uint8Array(FULL_BYTES);
    while (this.#at < place) {
      const count = Math.min(FULL_BYTES, place - this.#at);
      await writeAll(this.#sys, this.#fd, zeros.subarray(0, count));
      this.#at += count;
    }
  }
}

export interface ReverseForm {
  readonly isPlain: boolean;
  readonly columns: number;
  /** Added to the offsets found. */
  readonly base: number;
}

/** Reads a dump and writes the bytes it shows. */
export class Reversal {
  readonly #out: PlacedOutput;
  readonly #form: ReverseForm;
  #place = 0;
  #column: number;
  /** The two digits before; -1 is something else. */
  #one = -1;
  #two = -1;
  #isIgnoring = true;
  #isSkippingLine = false;

  constructor(sys: Sys, fd: number, form: ReverseForm) {
    this.#out = new PlacedOutput(sys, fd);
    this.#form = form;
    this.#column = form.columns;
  }

  async add(block: Uint8Array): Promise<void> {
    for (const byte of block) {
      if (this.#isSkippingLine && byte !== 10) continue;
      await this.#letter(byte);
    }
  }

  end(): Promise<void> {
    return this.#out.flush();
  }

  async #letter(byte: number): Promise<void> {
    const { isPlain, columns, base } = this.#form;
    if (this.#isSkippingLine) {
      this.#isSkippingLine = false;
      this.#endLine();
      return;
    }
    if (byte === 13 || (isPlain && (byte === 32 || byte === 10 || byte === 9))) return;
    const three = this.#two;
    this.#two = this.#one;
    this.#one = digit(byte);
    if (this.#one === -1 && this.#isIgnoring) return;
    this.#isIgnoring = false;
    if (!isPlain && this.#column >= columns) {
      if (this.#one === -1) this.#column = 0;
      else this.#place = this.#place * 16 + this.#one;
      return;
    }
    if (this.#two >= 0 && this.#one >= 0) {
      await this.#out.put(base + this.#place, this.#two * 16 + this.#one);
      this.#place += 1;
      this.#one = -1;
      this.#column += 1;
      if (!isPlain && this.#column >= columns) this.#isSkippingLine = true;
    } else if (this.#one < 0 && this.#two < 0 && three < 0 && byte !== 10) {
      this.#isSkippingLine = true;
    }
    if (byte === 10) this.#endLine();
  }

  #endLine(): void {
    if (!this.#form.isPlain) this.#place = 0;
    this.#column = this.#form.columns;
    this.#isIgnoring = true;
    this.#one = -1;
    this.#two = -1;
  }
}

function digit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
