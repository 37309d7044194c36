import { encodeText, isKernelError, SEEK_CUR } from "../../kernel/index.ts";
import { BlockConverter, pad } from "./dd-convert.ts";
import { writeAll } from "./output.ts";
import { errorWords, quoteName, type Run } from "./program.ts";

export interface CopyPlan {
  /** Undefined for standard input. */
  readonly from: string | undefined;
  /** Undefined for standard output. */
  readonly to: string | undefined;
  readonly inputBytes: number;
  readonly outputBytes: number;
  /** `cbs=`, the size of a record. */
  readonly lineBytes: number;
  /** `bs=`: each block is written as it was read. */
  readonly isOneBlock: boolean;
  readonly skipBytes: number;
  readonly seekBytes: number;
  /** Of blocks, or of bytes where `countsBytes`. */
  readonly count: number | undefined;
  readonly countsBytes: boolean;
  readonly conversions: ReadonlySet<string>;
  readonly inputFlags: ReadonlySet<string>;
  readonly outputFlags: ReadonlySet<string>;
  readonly status: "all" | "none" | "noxfer" | "progress";
}

/** Copies in blocks and says at the end what was copied. */
export class BlockCopy {
  readonly #run: Run;
  readonly #plan: CopyPlan;
  readonly #input: number;
  readonly #output: number;
  readonly #records = { full: 0, part: 0 };
  readonly #written = { full: 0, part: 0, bytes: 0 };
  /** What waits to fill a block of the output. */
  #pending: Uint8Array;
  #pendingLength = 0;
  readonly #converter: BlockConverter;

  constructor(run: Run, plan: CopyPlan, input: number, output: number) {
    this.#run = run;
    this.#plan = plan;
    this.#input = input;
    this.#output = output;
    this.#converter = new BlockConverter(plan);
    this.#pending = new Uint8Array(plan.isOneBlock ? 0 : plan.outputBytes);
  }

  async run(): Promise<void> {
    const { sys } = this.#run;
    const startMs = (await sys.clock()).monotonicMs;
    try {
      if (await this.#place()) await this.#copy();
      await this.#add(this.#converter.end());
      await this.#flush();
      if (this.#plan.conversions.has("fsync") || this.#plan.conversions.has("fdatasync"))
        await sys.fsync(this.#output);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`error writing ${this.#outputName()}: ${errorWords(error)}`);
    }
    await this.#report((await sys.clock()).monotonicMs - startMs);
  }

  /** False where the input ends before it begins. */
  async #place(): Promise<boolean> {
    const { sys } = this.#run;
    const { seekBytes, skipBytes } = this.#plan;
    if (seekBytes > 0) await this.#seekOutput(seekBytes);
    if (skipBytes === 0) return true;
    const isFile = (await sys.fstat(this.#input)).kind === "file";
    if (isFile) {
      const { size } = await sys.fstat(this.#input);
      const at = await sys.seek(this.#input, skipBytes, SEEK_CUR);
      if (at <= size) return true;
      await this.#run.warn(
        `${this.#plan.from ?? "standard input"}: cannot skip to specified offset`,
      );
      return true;
    }
    const buffer = new Uint8Array(this.#plan.inputBytes);
    for (let left = skipBytes; left > 0; ) {
      const count = await sys.read(this.#input, buffer.subarray(0, left));
      if (count === 0) {
        await this.#run.warn(
          `${this.#plan.from ?? "standard input"}: cannot skip to specified offset`,
        );
        return true;
      }
      left -= count;
    }
    return true;
  }

  async #seekOutput(offset: number): Promise<void> {
    const { sys } = this.#run;
    try {
      await sys.seek(this.#output, offset, SEEK_CUR);
    } catch (error) {
      if (!isKernelError(error, "ESPIPE")) throw error;
      const zeros = new Uint8Array(this.#plan.outputBytes);
      for (let left = offset; left > 0; left -= zeros.length)
        await writeAll(sys, this.#output, zeros.subarray(0, left));
    }
  }

  async #copy(): Promise<void> {
    const { inputBytes, count, countsBytes, conversions } = this.#plan;
    const buffer = new Uint8Array(inputBytes);
    const { full, part } = this.#records;
    let taken = full + part;
    let left = countsBytes ? (count ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    while (left > 0 && (countsBytes || count === undefined || taken < count)) {
      const length = await this.#read(buffer.subarray(0, Math.min(inputBytes, left)));
      if (length === 0) return;
      taken += 1;
      left -= length;
      if (length === inputBytes) this.#records.full += 1;
      else this.#records.part += 1;
      let block: Uint8Array = buffer.subarray(0, length);
      if (conversions.has("sync") && length < inputBytes) block = pad(buffer, length, conversions);
      await this.#add(this.#converter.convert(block));
    }
  }

  async #read(into: Uint8Array): Promise<number> {
    const { sys } = this.#run;
    try {
      let length = await sys.read(this.#input, into);
      const isWhole = this.#plan.inputFlags.has("fullblock");
      while (isWhole && length > 0 && length < into.length) {
        const more = await sys.read(this.#input, into.subarray(length));
        if (more === 0) break;
        length += more;
      }
      return length;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      await this.#run.fail(`error reading ${this.#inputName()}: ${errorWords(error)}`);
      return 0;
    }
  }

  async #add(block: Uint8Array): Promise<void> {
    if (block.length === 0) return undefined;
    if (this.#plan.isOneBlock) return this.#write(block);
    let at = 0;
    while (at < block.length) {
      const part = block.subarray(at, at + this.#pending.length - this.#pendingLength);
      this.#pending.set(part, this.#pendingLength);
      this.#pendingLength += part.length;
      at += part.length;
      if (this.#pendingLength === this.#pending.length) await this.#flush();
    }
    return undefined;
  }

  async #flush(): Promise<void> {
    const length = this.#pendingLength;
    this.#pendingLength = 0;
    if (length > 0) await this.#write(this.#pending.subarray(0, length));
  }

  async #write(block: Uint8Array): Promise<void> {
    await writeAll(this.#run.sys, this.#output, block);
    this.#written.bytes += block.length;
    if (block.length === this.#plan.outputBytes) this.#written.full += 1;
    else this.#written.part += 1;
  }

  #inputName(): string {
    return quoteName(this.#plan.from ?? "standard input");
  }

  #outputName(): string {
    return quoteName(this.#plan.to ?? "standard output");
  }

  async #report(elapsedMs: number): Promise<void> {
    const { status } = this.#plan;
    if (status === "none") return;
    const { full, part, bytes } = this.#written;
    const records = `${this.#records.full}+${this.#records.part} records in\n${full}+${part} records out\n`;
    const cut = this.#converter.truncated;
    const truncated = cut === 0 ? "" : `${cut} truncated record${cut === 1 ? "" : "s"}\n`;
    const transfer = status === "noxfer" ? "" : describeTransfer(bytes, elapsedMs);
    await writeAll(this.#run.sys, 2, encodeText(`${records}${truncated}${transfer}`));
  }
}

/** `1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.002 s, 524 MB/s`. */
function describeTransfer(bytes: number, elapsedMs: number): string {
  const seconds = Math.max(elapsedMs, 0.001) / 1000;
  const decimal = scale(bytes, 1000, ["B", "kB", "MB", "GB", "TB"]);
  const binary = scale(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
  const sizes = bytes < 1000 ? "" : bytes < 1024 ? ` (${decimal})` : ` (${decimal}, ${binary})`;
  const rate = scale(bytes / seconds, 1000, ["B", "kB", "MB", "GB", "TB"]);
  const plural = bytes === 1 ? "byte" : "bytes";
  return `${bytes} ${plural}${sizes} copied, ${Number(seconds.toPrecision(6))} s, ${rate}/s\n`;
}

function scale(value: number, base: number, names: readonly string[]): string {
  let left = value;
  let at = 0;
  while (left >= base && at < names.length - 1) {
    left /= base;
    at += 1;
  }
  const digits = at > 0 && left < 9.95 ? left.toFixed(1) : String(Math.round(left));
  return `${digits} ${names[at] ?? ""}`;
}
