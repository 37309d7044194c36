/** What gzip and its like do with files: one after the other, each replaced by its other form. */
import {
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_WRONLY,
  type Stat,
} from "../../../kernel/index.ts";
import { joinPath, readDirectory } from "../directory.ts";
import { writeAll } from "../output.ts";
import { errorWords, type Run } from "../program.ts";
import { findStat } from "../run-command.ts";
import { type ByteStream, readStream } from "./byte-reader.ts";
import { FormatError } from "./gzip-format.ts";

export interface StreamRequest {
  readonly stream: ByteStream;
  readonly level: number;
  /** Undefined for fd 0. */
  readonly name: string | undefined;
  readonly stat: Stat;
  readonly warn: (message: string) => Promise<void>;
}

/** How one program differs from the others. */
export interface Compression {
  readonly suffix: string;
  compress(request: StreamRequest): ByteStream;
  decompress(request: StreamRequest): ByteStream;
  /** The name without its suffix; undefined where it has none that is known. */
  plainName(name: string): string | undefined;
  readonly words: {
    missing(name: string, words: string): string;
    directory(name: string): string;
    exists(name: string): string;
    hasSuffix(name: string): string;
    noSuffix(name: string): string;
    corrupt(name: string, message: string): string;
    /** A symbolic link is not replaced. */
    symlink(name: string): string;
    /** Nor is a file with other names. */
    linked(name: string, others: number): string;
    done(report: Report): string;
  };
  readonly statuses: {
    readonly missing: number;
    readonly directory: number;
    readonly exists: number;
    readonly hasSuffix: number;
    readonly noSuffix: number;
    readonly corrupt: number;
    readonly symlink: number;
    readonly linked: number;
  };
}

export interface Report {
  readonly name: string;
  readonly output: string | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly mode: "compress" | "decompress" | "test";
  readonly isKept: boolean;
}

export interface CompressSettings {
  readonly mode: "compress" | "decompress" | "test";
  readonly level: number;
  readonly toStdout: boolean;
  readonly isKept: boolean;
  readonly isForced: boolean;
  readonly isVerbose: boolean;
  readonly isQuiet: boolean;
  readonly isRecursive: boolean;
}

export class FileCompressor {
  readonly #run: Run;
  readonly #kind: Compression;
  readonly #settings: CompressSettings;

  constructor(run: Run, kind: Compression, settings: CompressSettings) {
    this.#run = run;
    this.#kind = kind;
    this.#settings = settings;
  }

  async runOperand(operand: string): Promise<void> {
    if (operand === "-") return this.#runStdin();
    const { sys } = this.#run;
    const name = await this.#findName(operand);
    let stat: Stat;
    try {
      stat = await sys.stat(name);
    } catch (error) {
      if (!isKernelError(error)) throw error;
      return this.#fail(
        this.#kind.words.missing(name, errorWords(error)),
        this.#kind.statuses.missing,
      );
    }
    if (stat.kind === "directory") return this.#runDirectory(name);
    await this.#runFile(name, stat);
  }

  /** gzip finds `x.gz` where there is no `x`. */
  async #findName(operand: string): Promise<string> {
    const { mode } = this.#settings;
    const { suffix } = this.#kind;
    if (mode === "compress" || operand.endsWith(suffix) || this.#run.baseName.startsWith("xz"))
      return operand;
    if ((await findStat(this.#run.sys, operand)) !== undefined || suffix !== ".gz") return operand;
    return `${operand}${suffix}`;
  }

  async #runDirectory(name: string): Promise<void> {
    if (!this.#settings.isRecursive)
      return this.#fail(this.#kind.words.directory(name), this.#kind.statuses.directory);
    for (const entry of await readDirectory(this.#run.sys, name))
      await this.runOperand(joinPath(name, entry.name));
  }

  async #runStdin(): Promise<void> {
    const stat = await this.#run.sys.fstat(0);
    await this.#guard("stdin", async () => {
      const counted = await this.#convert(0, undefined, stat, async (piece) => {
        if (this.#settings.mode !== "test") await this.#run.out.write(piece);
      });
      await this.#report({ name: "stdin", output: undefined, ...counted });
    });
  }

  async #runFile(name: string, stat: Stat): Promise<void> {
    const { mode, toStdout, isForced } = this.#settings;
    const isReplacing = !toStdout && mode !== "test";
    if (isReplacing && !isForced && (await this.#refuseLinks(name, stat))) return;
    const output = isReplacing ? await this.#outputName(name) : undefined;
    if (output === "") return;
    if (output !== undefined && (await findStat(this.#run.sys, output, true)) !== undefined) {
      if (!isForced) return this.#fail(this.#kind.words.exists(output), this.#kind.statuses.exists);
      await this.#run.sys.unlink(output);
    }
    await this.#guard(name, () => this.#replaceFile(name, stat, output));
  }

  async #refuseLinks(name: string, stat: Stat): Promise<boolean> {
    const { words, statuses } = this.#kind;
    const isLink = (await findStat(this.#run.sys, name, true))?.kind === "symlink";
    if (isLink) await this.#fail(words.symlink(name), statuses.symlink);
    else if (stat.nlink > 1 && !this.#settings.isKept)
      await this.#fail(words.linked(name, stat.nlink - 1), statuses.linked);
    else return false;
    return true;
  }

  /** Empty where the file is left alone. */
  async #outputName(name: string): Promise<string> {
    const { words, statuses, suffix } = this.#kind;
    const { mode, isForced } = this.#settings;
    const plain = this.#kind.plainName(name);
    if (mode === "compress") {
      if (plain === undefined || isForced) return `${name}${suffix}`;
      await this.#fail(words.hasSuffix(name), statuses.hasSuffix);
      return "";
    }
    if (plain !== undefined) return plain;
    await this.#fail(words.noSuffix(name), statuses.noSuffix);
    return suffix === ".bz2" ? `${name}.out` : "";
  }

  async #replaceFile(name: string, stat: Stat, output: string | undefined): Promise<void> {
    const { sys } = this.#run;
    const input = await sys.open(name, O_RDONLY | O_CLOEXEC);
    let into: number | undefined;
    try {
      if (output !== undefined)
        into = await sys.open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
      const counted = await this.#convert(input, name, stat, async (piece) => {
        if (into !== undefined) await writeAll(sys, into, piece);
        else if (this.#settings.mode !== "test") await this.#run.out.write(piece);
      });
      if (output !== undefined) await this.#settle(name, stat, output);
      await this.#report({ name, output, ...counted });
    } catch (error) {
      if (output !== undefined && into !== undefined && !isProcessEnd(error))
        await sys.unlink(output);
      throw error;
    } finally {
      await sys.close(input);
      if (into !== undefined) await sys.close(into);
    }
  }

  async #settle(name: string, stat: Stat, output: string): Promise<void> {
    const { sys } = this.#run;
    await sys.chmod(output, stat.mode & 0o777);
    await sys.utimes(output, { atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
    if (!this.#settings.isKept) await sys.unlink(name);
  }

  async #convert(
    fd: number,
    name: string | undefined,
    stat: Stat,
    put: (piece: Uint8Array) => Promise<void>,
  ): Promise<{ readonly bytesIn: number; readonly bytesOut: number }> {
    const { mode, level } = this.#settings;
    let [bytesIn, bytesOut] = [0, 0];
    const { sys } = this.#run;
    async function* counted(): AsyncGenerator<Uint8Array, void, void> {
      for await (const piece of readStream(sys, fd)) {
        bytesIn += piece.length;
        yield piece;
      }
    }
    const shown = name ?? "stdin";
    const request: StreamRequest = {
      stream: counted(),
      level,
      name,
      stat,
      warn: async (message) => this.#corrupt(shown, new FormatError(message, 2)),
    };
    const kind = this.#kind;
    const made = mode === "compress" ? kind.compress(request) : kind.decompress(request);
    for (let next = await made.next(); next.done !== true; next = await made.next()) {
      bytesOut += next.value.length;
      await put(next.value);
    }
    return { bytesIn, bytesOut };
  }

  async #guard(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof FormatError) return this.#corrupt(name, error);
      if (!isKernelError(error)) throw error;
      await this.#run.out.flush();
      await this.#run.failOn(error, name);
    }
  }

  async #corrupt(name: string, error: FormatError): Promise<void> {
    const status = error.status === 2 ? 2 : this.#kind.statuses.corrupt;
    await this.#run.out.flush();
    await this.#fail(this.#kind.words.corrupt(name, error.message), status);
    if (error.also !== undefined)
      await this.#fail(this.#kind.words.corrupt(name, error.also), status);
  }

  async #report(counted: Omit<Report, "mode" | "isKept">): Promise<void> {
    const { isVerbose, mode, isKept } = this.#settings;
    if (!isVerbose) return;
    const text = this.#kind.words.done({ ...counted, mode, isKept });
    await this.#run.out.flush();
    await writeAll(this.#run.sys, 2, encodeText(text));
  }

  async #fail(message: string, status: number): Promise<void> {
    this.#run.status = this.#run.status === 1 ? 1 : Math.max(this.#run.status, status);
    if (status === 1) this.#run.status = 1;
    if (this.#settings.isQuiet && status !== 1) return;
    await this.#run.out.flush();
    await writeAll(this.#run.sys, 2, encodeText(message));
  }
}

function isProcessEnd(error: unknown): boolean {
  return !(error instanceof FormatError) && !isKernelError(error);
}
