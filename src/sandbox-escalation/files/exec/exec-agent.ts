import {
  type Errno,
  errnos,
  errnoWords,
  isKernelError,
  KernelError,
} from "../../../kernel/index.ts";
import { GrowingBytes } from "../../../streams/index.ts";
import type { SandboxProcess, SpawnOptions } from "../../provider.ts";
import { agentScript } from "./agent-script.ts";

/** What ExecFiles needs of a sandbox. */
export interface ExecHost {
  readonly cwd: string;
  spawn(argv: readonly string[], options: SpawnOptions): Promise<SandboxProcess>;
}

interface Pending {
  readonly resolve: (words: string) => void;
  readonly reject: (error: KernelError) => void;
}

/** The longest answer: a part of a file, or a listing. */
const ANSWER_BYTES = 24 << 20;
/** Calls that are sent before the first of them is answered; the rest fails with EAGAIN. */
const CALLS_LIMIT = 4096;
/** The script reads data in blocks of this size. */
const BLOCK_BYTES = 4096;
const NEWLINE = 10;

/**
 * The script of agent-script.ts, running in a sandbox: calls in, one answer each, in order. It starts with the
 * first call and again after it has ended. What it says is the sandbox's word: it is bounded and checked.
 */
export class ExecAgent {
  readonly #host: ExecHost;
  readonly #limitMs: number;
  #process: Promise<SandboxProcess> | undefined;
  #sending: Promise<void> = Promise.resolve();
  #pending: Pending[] = [];
  #isClosed = false;

  constructor(host: ExecHost, limitMs: number) {
    this.#host = host;
    this.#limitMs = limitMs;
  }

  /** The words of the answer. KernelError: what the sandbox's program failed with, ETIMEDOUT, EIO. */
  async call(line: string, data?: Uint8Array): Promise<string> {
    if (this.#isClosed) throw new KernelError("EIO", undefined, "the sandbox is gone");
    if (this.#pending.length >= CALLS_LIMIT) throw new KernelError("EAGAIN");
    const process = await this.#start();
    const answer = new Promise<string>((resolve, reject) => {
      this.#pending.push({ resolve, reject });
    });
    const timer = setTimeout(() => this.#end("ETIMEDOUT"), this.#limitMs);
    try {
      const bytes = lineWith(line, data);
      this.#sending = this.#sending
        .then(() => process.writeInput(bytes))
        .catch(() => this.#end("EIO"));
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end("EIO");
  }

  async #start(): Promise<SandboxProcess> {
    this.#process ??= this.#spawn();
    try {
      return await this.#process;
    } catch (error) {
      this.#process = undefined;
      if (isKernelError(error, "ETIMEDOUT")) throw error;
      throw new KernelError("EIO", undefined, "the sandbox does not answer");
    }
  }

  async #spawn(): Promise<SandboxProcess> {
    const { cwd } = this.#host;
    const argv = ["sh", "-c", agentScript, "sh", cwd];
    const process = await this.#inTime(this.#host.spawn(argv, { cwd, env: {} }));
    this.#sending = Promise.resolve();
    this.#read(process).catch(() => this.#end("EIO"));
    this.#drain(process).catch(() => this.#end("EIO"));
    return process;
  }

  /** A process that comes later ends at once. */
  async #inTime(spawned: Promise<SandboxProcess>): Promise<SandboxProcess> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new KernelError("ETIMEDOUT"));
        spawned.then((process) => process.kill("SIGKILL")).catch(() => undefined);
      }, this.#limitMs);
    });
    try {
      return await Promise.race([spawned, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read({ output }: SandboxProcess): Promise<void> {
    const held = new GrowingBytes();
    for await (const chunk of output) {
      let rest = chunk;
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        held.add(rest.subarray(0, end));
        this.#answer(Buffer.from(held.take()).toString("latin1"));
        rest = rest.subarray(end + 1);
      }
      if (held.length + rest.length > ANSWER_BYTES) break;
      held.add(rest);
    }
    this.#end("EIO");
  }

  /** Nobody reads its errors, and they must not hold it up. */
  async #drain({ errors }: SandboxProcess): Promise<void> {
    for await (const _ of errors);
  }

  #answer(line: string): void {
    const pending = this.#pending.shift();
    if (pending === undefined) return;
    if (line.startsWith("ok")) return pending.resolve(line.slice(3));
    const words = line.startsWith("no ") ? Buffer.from(line.slice(3), "base64").toString() : "";
    pending.reject(new KernelError(errnoIn(words)));
  }

  /** All that is under way fails; the next call starts anew. */
  #end(errno: Errno): void {
    const process = this.#process;
    this.#process = undefined;
    const pending = this.#pending;
    this.#pending = [];
    for (const { reject } of pending) reject(new KernelError(errno));
    process?.then((running) => running.kill("SIGKILL")).catch(() => undefined);
  }
}

/** The line, and data that is filled up to whole blocks. */
function lineWith(line: string, data: Uint8Array | undefined): Uint8Array {
  const filled = data === undefined ? 0 : Math.ceil(data.length / BLOCK_BYTES) * BLOCK_BYTES;
  const bytes = new Uint8Array(line.length + 1 + filled);
  bytes.set(Buffer.from(`${line}\n`, "latin1"));
  if (data !== undefined) bytes.set(data, line.length + 1);
  return bytes;
}

/** Programs end what they say with the words of strerror, which are the VM's own. */
function errnoIn(words: string): Errno {
  const said = words.trim();
  const found = errnosByWords.find(([known]) => said.endsWith(known));
  return found === undefined ? "EIO" : found[1];
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are its type
const errnosByWords = (Object.keys(errnos) as Errno[]).map(
  (errno) => [errnoWords(errno), errno] as const,
);
