/** The files, pipes and commands a program has open. */
import {
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { errorWords } from "../program.ts";
import { AwkFatalError } from "./awk-error.ts";
import type { Charset } from "./charset.ts";
import { type Child, exitNumber, startShell } from "./commands.ts";
import { OutputStream } from "./output-stream.ts";
import { Reader } from "./reader.ts";

/** What one process may have open. */
const OPEN_LIMIT = 4096;

interface OpenInput {
  readonly reader: Reader;
  readonly child?: Child;
}

interface OpenOutput {
  readonly stream: OutputStream;
  readonly child?: Child;
}

/** A command that is written to and read from. */
interface Coprocess {
  readonly child: Child;
  output: OutputStream | undefined;
  input: Reader | undefined;
}

export type OutputKind = ">" | ">>" | "|" | "|&";

export class Files {
  readonly #sys: Sys;
  readonly #charset: Charset;
  readonly #onFull: () => void;
  readonly stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #inputs = new Map<string, OpenInput>();
  readonly #commands = new Map<string, OpenInput>();
  readonly #outputs = new Map<string, OpenOutput>();
  readonly #coprocesses = new Map<string, Coprocess>();

  constructor(sys: Sys, charset: Charset, onFull: () => void) {
    this.#sys = sys;
    this.#charset = charset;
    this.#onFull = onFull;
    this.stdout = this.#stream(1, "standard output");
    this.#stderr = this.#stream(2, "standard error");
  }

  #stream(fd: number, name: string): OutputStream {
    return new OutputStream(this.#sys, { fd, name, charset: this.#charset, onFull: this.#onFull });
  }

  get isFull(): boolean {
    if (this.stdout.isFull) return true;
    for (const { stream } of this.#outputs.values()) if (stream.isFull) return true;
    return false;
  }

  async flushFull(): Promise<void> {
    for (const stream of this.#streams()) if (stream.isFull) await stream.flush();
  }

  async flushAll(): Promise<void> {
    for (const stream of this.#streams()) await stream.flush();
  }

  #streams(): readonly OutputStream[] {
    const others = [...this.#outputs.values()].map(({ stream }) => stream);
    const both = [...this.#coprocesses.values()].flatMap(({ output }) => output ?? []);
    return [this.stdout, this.#stderr, ...others, ...both];
  }

  /** The stream a redirection names, where it is open. */
  findOutput(kind: OutputKind, name: string): OutputStream | undefined {
    if (kind === "|&") return this.#coprocesses.get(name)?.output;
    return this.#outputs.get(name)?.stream;
  }

  /** Opens what a redirection names. Fails with an AwkFatalError. */
  async openOutput(kind: OutputKind, name: string): Promise<OutputStream> {
    const standard = kind === "|" || kind === "|&" ? undefined : this.#standard(name);
    if (standard !== undefined) return standard;
    this.#checkCount();
    if (kind === "|&") {
      const { output } = await this.#coprocess(name);
      if (output !== undefined) return output;
      throw new AwkFatalError(`cannot redirect to \`${name}': Bad file descriptor`);
    }
    if (name === "")
      throw new AwkFatalError(`expression for \`${kind}' redirection has null string value`);
    const opened = kind === "|" ? await this.#openCommand(name) : await this.#openFile(kind, name);
    this.#outputs.set(name, opened);
    return opened.stream;
  }

  #standard(name: string): OutputStream | undefined {
    if (name === "/dev/stdout" || name === "-" || name === "/dev/fd/1") return this.stdout;
    return name === "/dev/stderr" || name === "/dev/fd/2" ? this.#stderr : undefined;
  }

  async #openFile(kind: ">" | ">>", name: string): Promise<OpenOutput> {
    const flags = O_WRONLY | O_CREAT | O_CLOEXEC | (kind === ">" ? O_TRUNC : O_APPEND);
    try {
      const fd = await this.#sys.open(this.#charset.toKernel(name), flags, 0o666);
      return { stream: this.#stream(fd, name) };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new AwkFatalError(`cannot redirect to \`${name}': ${errorWords(error)}`);
    }
  }

  async #openCommand(name: string): Promise<OpenOutput> {
    await this.flushAll();
    const [from, to] = await this.#sys.pipe(O_CLOEXEC);
    const child = await startShell(this.#sys, this.#charset.toKernel(name), [{ fd: 0, from }]);
    await this.#sys.close(from);
    return { stream: this.#stream(to, name), child };
  }

  #checkCount(): void {
    if (this.#inputs.size + this.#outputs.size + this.#commands.size > OPEN_LIMIT)
      throw new AwkFatalError("too many pipes or input files open");
  }

  /** The reader of a file, opened at its first use. Fails as open(2) does. */
  async inputFile(name: string): Promise<Reader> {
    this.#checkCount();
    const isStandard = name === "-" || name === "/dev/stdin";
    const fd = isStandard
      ? 0
      : await this.#sys.open(this.#charset.toKernel(name), O_RDONLY | O_CLOEXEC);
    const reader = new Reader(this.#sys, fd, this.#charset);
    this.#inputs.set(name, { reader });
    return reader;
  }

  findInput(from: "file" | "command" | "coprocess", name: string): Reader | undefined {
    if (from === "coprocess") return this.#coprocesses.get(name)?.input;
    return (from === "file" ? this.#inputs : this.#commands).get(name)?.reader;
  }

  /** The reader of a command's output. */
  async inputCommand(name: string): Promise<Reader> {
    this.#checkCount();
    await this.flushAll();
    const [from, to] = await this.#sys.pipe(O_CLOEXEC);
    const child = await startShell(this.#sys, this.#charset.toKernel(name), [{ fd: 1, from: to }]);
    await this.#sys.close(to);
    const reader = new Reader(this.#sys, from, this.#charset);
    this.#commands.set(name, { reader, child });
    return reader;
  }

  async inputCoprocess(name: string): Promise<Reader | undefined> {
    const { input, output } = await this.#coprocess(name);
    await output?.flush();
    return input;
  }

  async #coprocess(name: string): Promise<Coprocess> {
    const found = this.#coprocesses.get(name);
    if (found !== undefined) return found;
    await this.flushAll();
    const [theirIn, ourOut] = await this.#sys.pipe(O_CLOEXEC);
    const [ourIn, theirOut] = await this.#sys.pipe(O_CLOEXEC);
    const child = await startShell(this.#sys, this.#charset.toKernel(name), [
      { fd: 0, from: theirIn },
      { fd: 1, from: theirOut },
    ]);
    await this.#sys.close(theirIn);
    await this.#sys.close(theirOut);
    const made: Coprocess = {
      child,
      output: this.#stream(ourOut, name),
      input: new Reader(this.#sys, ourIn, this.#charset),
    };
    this.#coprocesses.set(name, made);
    return made;
  }

  /** `system(command)`. */
  async run(command: string): Promise<number> {
    await this.flushAll();
    const child = await startShell(this.#sys, this.#charset.toKernel(command), []);
    return exitNumber(await child.wait());
  }

  /** `close(name)`: the status; undefined where it is not open. */
  async close(name: string, part?: string): Promise<number | undefined> {
    const output = this.#outputs.get(name);
    if (output !== undefined) {
      this.#outputs.delete(name);
      return closeOutput(output);
    }
    for (const inputs of [this.#inputs, this.#commands]) {
      const input = inputs.get(name);
      if (input === undefined) continue;
      inputs.delete(name);
      if (input.reader.fd !== 0) await this.#sys.close(input.reader.fd);
      return input.child === undefined ? 0 : exitNumber(await input.child.wait());
    }
    return this.#closeCoprocess(name, part);
  }

  async #closeCoprocess(name: string, part: string | undefined): Promise<number | undefined> {
    const both = this.#coprocesses.get(name);
    if (both === undefined) return undefined;
    if (part !== "from" && both.output !== undefined) {
      await both.output.close();
      both.output = undefined;
      if (part === "to") return 0;
    }
    if (both.input !== undefined) await this.#sys.close(both.input.fd);
    both.input = undefined;
    if (part === "from") return 0;
    this.#coprocesses.delete(name);
    return exitNumber(await both.child.wait());
  }

  /** `fflush(name)`: false where it is not open. */
  async flush(name: string): Promise<boolean> {
    const stream =
      this.#standard(name) ??
      this.#outputs.get(name)?.stream ??
      this.#coprocesses.get(name)?.output;
    await stream?.flush();
    return stream !== undefined;
  }

  /** Writes out and closes everything; commands are waited for. */
  async closeAll(): Promise<void> {
    for (const name of [
      ...this.#outputs.keys(),
      ...this.#coprocesses.keys(),
      ...this.#inputs.keys(),
      ...this.#commands.keys(),
    ])
      await this.close(name);
    await this.stdout.flush();
    await this.#stderr.flush();
  }
}

async function closeOutput({ stream, child }: OpenOutput): Promise<number> {
  await stream.close();
  return child === undefined ? 0 : exitNumber(await child.wait());
}
