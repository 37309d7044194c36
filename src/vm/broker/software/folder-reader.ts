import { Worker } from "node:worker_threads";
import { KernelError } from "../../../kernel/index.ts";
import { type Deferred, defer } from "../../deferred.ts";
import type { FolderAnswer, FolderCall } from "./folder-thread.ts";
import type { FilePart, ListedPage } from "./read-folder.ts";

/** A failure of the host's: `code` is Node's, as "ENOENT". */
export class FolderError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`a folder cannot be read (${code === "" ? "unknown" : code})`);
    this.name = "FolderError";
    this.code = code;
  }
}

/**
 * Reads folders of the host in a thread, which starts with the first use at the latest. Whatever VMs share it, each
 * has a few calls under way at most. Fails with KernelError for a guest's eyes, else with FolderError.
 */
export class FolderReader {
  readonly #pending = new Map<number, Deferred<unknown>>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** Starts the thread ahead of its first use. */
  start(): void {
    this.#start();
  }

  /** The folder without links, for the other calls. Only FolderError: what is wrong with it. */
  async open(path: string): Promise<Uint8Array> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what perform() of folder-thread.ts answers to "open"
    return (await this.#call({ call: "open", path })) as Uint8Array;
  }

  async list(root: Uint8Array, path: string, from: number): Promise<ListedPage> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above, to "list"
    return (await this.#call({ call: "list", root, path, from })) as ListedPage;
  }

  async read(root: Uint8Array, path: string, offset: number, length: number): Promise<FilePart> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above, to "read"
    return (await this.#call({ call: "read", root, path, offset, length })) as FilePart;
  }

  /** What is under way fails. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #call(call: FolderCall): Promise<unknown> {
    const worker = this.#start();
    this.#lastId += 1;
    const answer = defer<unknown>();
    this.#pending.set(this.#lastId, answer);
    worker.ref();
    worker.postMessage({ id: this.#lastId, ...call });
    return answer.promise;
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The compiled thread lies beside the compiled reader, the source beside the source.
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    const worker = new Worker(new URL(`./folder-thread.${extension}`, import.meta.url), {
      env: {},
      execArgv: ["--no-warnings"],
    });
    worker.on("message", (message: FolderAnswer) => this.#receive(message));
    worker.on("error", () => this.#end(worker));
    worker.on("exit", () => this.#end(worker));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(message: FolderAnswer): void {
    const answer = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker?.unref();
    if ("value" in message) answer?.resolve(message.value);
    else if ("errno" in message)
      answer?.reject(new KernelError(message.errno, undefined, message.reason));
    else answer?.reject(new FolderError(message.code));
  }

  /** The next call starts another thread. */
  #end(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const answer of this.#pending.values()) answer.reject(new FolderError("EIO"));
    this.#pending.clear();
  }
}
