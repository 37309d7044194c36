import { decodeText, isKernelError } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import type { Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import type { Algorithm } from "./algorithms.ts";
import { type CheckLine, CheckLineReader } from "./check-line.ts";
import { feedFile, hexText } from "./digest-file.ts";

/** Checks the files a list of checksums names; what is wrong makes the status 1. */
export class Checker {
  readonly #run: Run;
  readonly #algorithm: Algorithm | undefined;
  readonly #bits: number | undefined;
  readonly #mode: string | undefined;
  #good = 0;
  #bad = 0;
  #unreadable = 0;
  #wrong = 0;
  #hasMatch = false;

  constructor(run: Run, algorithm: Algorithm | undefined, bits: number | undefined) {
    this.#run = run;
    this.#algorithm = algorithm;
    this.#bits = bits;
    this.#mode = run.options.last("status", "warn", "quiet");
  }

  async check(list: string): Promise<void> {
    const name = list === "-" ? "standard input" : list;
    this.#good = 0;
    this.#bad = 0;
    this.#unreadable = 0;
    this.#wrong = 0;
    this.#hasMatch = false;
    try {
      await this.#run.withInput(list, (fd) => this.#readList(fd, name));
    } catch (error) {
      if (!isKernelError(error, "EISDIR")) await this.#run.failOn(error, quoteFile(name));
      else await this.#run.fail(`${quoteFile(name)}: read error`);
      return;
    }
    await this.#run.out.flush();
    await this.#conclude(quoteFile(name));
  }

  async #readList(fd: number, list: string): Promise<void> {
    const reader = new CheckLineReader(this.#algorithm, this.#bits);
    const lines = new LineCursor(this.#run.sys, fd);
    for (let number = 1; lines.tryAdvance() || (await lines.advance()); number++) {
      const text = decodeText(lines.line).replace(/\r$/, "");
      if (text.startsWith("#") || text === "") continue;
      const line = reader.read(text);
      if (line === undefined || (list === "standard input" && line.name === "-")) {
        this.#bad += 1;
        await this.#warnOf(list, number);
        continue;
      }
      this.#good += 1;
      await this.#checkFile(line);
    }
  }

  async #warnOf(list: string, number: number): Promise<void> {
    if (this.#mode !== "warn") return;
    await this.#run.out.flush();
    const kind = this.#algorithm?.tag ?? "CRC";
    await this.#run.warn(
      `${quoteFile(list)}: ${number}: improperly formatted ${kind} checksum line`,
    );
  }

  async #checkFile({ name, hex, algorithm, bits }: CheckLine): Promise<void> {
    const { out } = this.#run;
    const digest = algorithm.make(bits);
    const size = await feedFile(this.#run, name, digest, this.#run.has("ignore-missing"));
    if (size === "missing") return;
    const shown = name.includes("\n")
      ? `\\${name.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`
      : name;
    const isQuiet = this.#mode === "quiet" || this.#mode === "status";
    if (size === undefined) {
      this.#unreadable += 1;
      if (this.#mode !== "status") out.addText(`${shown}: FAILED open or read\n`);
    } else if (hexText(digest.finish()) === hex.toLowerCase()) {
      this.#hasMatch = true;
      if (!isQuiet) out.addText(`${shown}: OK\n`);
    } else {
      this.#wrong += 1;
      if (this.#mode !== "status") out.addText(`${shown}: FAILED\n`);
    }
    if (out.isFull) await out.flush();
  }

  async #conclude(list: string): Promise<void> {
    const run = this.#run;
    if (this.#good === 0) {
      await run.fail(`${list}: no properly formatted checksum lines found`);
      return;
    }
    if (this.#mode !== "status") {
      await this.#count(
        this.#bad,
        "line is improperly formatted",
        "lines are improperly formatted",
      );
      await this.#count(
        this.#unreadable,
        "listed file could not be read",
        "listed files could not be read",
      );
      await this.#count(
        this.#wrong,
        "computed checksum did NOT match",
        "computed checksums did NOT match",
      );
      if (run.has("ignore-missing") && !this.#hasMatch)
        await run.fail(`${list}: no file was verified`);
    }
    const isStrict = run.has("strict") && this.#bad > 0;
    if (this.#wrong > 0 || this.#unreadable > 0 || isStrict || !this.#hasMatch) run.status = 1;
  }

  async #count(number: number, one: string, many: string): Promise<void> {
    if (number > 0) await this.#run.warn(`WARNING: ${number} ${number === 1 ? one : many}`);
  }
}
