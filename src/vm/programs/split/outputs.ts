import {
  findSignalName,
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  signals,
} from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { writeAll } from "../output.ts";
import { errorWords, quoteName, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";

/** One output: a file, or a command that reads it. */
export interface Piece {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Makes the outputs, each by its name. */
export class Pieces {
  readonly #run: Run;
  readonly #names: Iterator<string>;
  readonly #filter: string | undefined;
  /** The input: it may not be written over. */
  readonly #input: { readonly dev: number; readonly ino: number } | undefined;

  constructor(
    run: Run,
    names: Iterator<string>,
    input: { readonly dev: number; readonly ino: number } | undefined,
  ) {
    this.#run = run;
    this.#names = names;
    this.#filter = run.options.get("filter");
    this.#input = input;
  }

  async next(): Promise<Piece> {
    const name = String(this.#names.next().value);
    if (this.#filter !== undefined) return this.#startFilter(this.#filter, name);
    this.#announce(`creating file ${quoteName(name)}`);
    const fd = await this.#create(name);
    const { sys } = this.#run;
    return {
      write: (bytes) => this.#guard(name, () => writeAll(sys, fd, bytes)),
      close: () => sys.close(fd),
    };
  }

  /** One that holds no fd while it is not written to: there may be many. */
  async nextShared(): Promise<Piece> {
    if (this.#filter !== undefined) return this.next();
    const name = String(this.#names.next().value);
    this.#announce(`creating file ${quoteName(name)}`);
    const { sys } = this.#run;
    await sys.close(await this.#create(name));
    return {
      write: (bytes) =>
        this.#guard(name, async () => {
          const fd = await sys.open(name, O_WRONLY | O_APPEND | O_CLOEXEC);
          await writeAll(sys, fd, bytes);
          await sys.close(fd);
        }),
      close: async () => {},
    };
  }

  #announce(message: string): void {
    if (this.#run.has("verbose")) this.#run.out.addText(`${message}\n`);
  }

  async #create(name: string): Promise<number> {
    return this.#guard(name, async () => {
      const { sys } = this.#run;
      const fd = await sys.open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666);
      const { dev, ino, kind } = await sys.fstat(fd);
      if (kind === "file" && dev === this.#input?.dev && ino === this.#input.ino)
        throw new UsageError(`${quoteName(name)} would overwrite input; aborting`, {
          hasHint: false,
        });
      await sys.close(fd);
      return sys.open(name, O_WRONLY | O_TRUNC | O_CLOEXEC);
    });
  }

  async #guard<T>(name: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
    }
  }

  async #startFilter(command: string, name: string): Promise<Piece> {
    this.#announce(`executing with FILE=${quoteFile(name)}`);
    const { sys } = this.#run;
    await sys.sigaction(signals.SIGPIPE, "ignore");
    const [readEnd, writeEnd] = await sys.pipe(O_CLOEXEC);
    const env = new Map(await sys.environ()).set("FILE", name);
    const shell = env.get("SHELL") ?? "/bin/sh";
    const pid = await this.#guard(shell, () =>
      sys.spawn({
        path: shell,
        argv: [shell.replace(/^.*\//, ""), "-c", command],
        env,
        fds: [{ fd: 0, from: readEnd }],
        signals: { default: [signals.SIGPIPE] },
      }),
    );
    await sys.close(readEnd);
    let isGone = false;
    return {
      write: async (bytes) => {
        if (isGone) return;
        try {
          await writeAll(sys, writeEnd, bytes);
        } catch (error) {
          if (!isKernelError(error, "EPIPE")) throw error;
          isGone = true;
        }
      },
      close: async () => {
        await sys.close(writeEnd);
        await this.#reap(pid, name, command);
      },
    };
  }

  async #reap(pid: number, name: string, command: string): Promise<void> {
    const ended = await this.#run.sys.wait({ pid });
    const status = ended?.status;
    if (status === undefined) return;
    if (status.kind === "exited" && status.code !== 0) {
      throw new UsageError(`with FILE=${name}, exit ${status.code} from command: ${command}`, {
        status: status.code,
        hasHint: false,
      });
    }
    if (status.kind === "signaled" && status.signal !== signals.SIGPIPE) {
      const signal = findSignalName(status.signal)?.replace(/^SIG/, "") ?? String(status.signal);
      throw new UsageError(`with FILE=${name}, signal ${signal} from command: ${command}`, {
        hasHint: false,
        status: status.signal + 128,
      });
    }
  }
}
