import {
  type Execution,
  type Executor,
  encodeText,
  type Image,
  type KernelHost,
  ProcessEnded,
  type Sys,
} from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import { Builtins } from "./builtins.ts";
import type { Call } from "./call-channel.ts";
import { findCall } from "./calls/index.ts";
import { type Guest, ObjectTable } from "./guest.ts";
import type { GuestNatives } from "./load-natives.ts";
import { NODE_MAGIC } from "./node-magic.ts";
import { type ReadyIsolate, ReadyIsolates } from "./ready-isolates.ts";
import { Requests } from "./requests.ts";

const magic = encodeText(NODE_MAGIC);

/** An isolate that has not ended so long after its disposal never will. */
const STUCK_MS = 250;
const OBJECT_LIMIT = 65_536;
/** Isolates kept ready in a VM that runs JavaScript. */
const READY = 2;

export interface IsolateExecutorOptions {
  readonly natives: GuestNatives;
  readonly host: KernelHost;
  readonly heapLimitMb: number;
  /** An isolate that nothing stops: the cell must end. */
  readonly onStuck: (reason: string) => void;
}

/**
 * Runs JavaScript with Node's semantics: one V8 isolate for each process, on a thread of its own, whose
 * calls are answered here through `Sys`.
 */
export class IsolateExecutor implements Executor {
  readonly name = "isolate";
  readonly #options: IsolateExecutorOptions;
  readonly #builtins: Builtins;
  #isolates: ReadyIsolates | undefined;
  #running = 0;

  constructor(options: IsolateExecutorOptions) {
    this.#options = options;
    this.#builtins = new Builtins(options.natives.directory);
  }

  readonly identify = (): string => "/usr/bin/node";

  readonly accepts = (header: Uint8Array): boolean =>
    header.length >= magic.length && magic.every((byte, at) => header[at] === byte);

  start(image: Image, sys: Sys): Execution {
    const ready = this.#ready().take();
    this.#running += 1;
    const ended = this.#run(ready, image, sys).finally(() => {
      this.#running -= 1;
      setImmediate(() => this.#refill());
    });
    return { ended, kill: () => this.#dispose(ready) };
  }

  /** Makes isolates ahead of need; called while the VM is idle. */
  #refill(): void {
    if (this.#running === 0) this.#ready().refill(READY);
  }

  /** The isolates and what they need are made when the first process wants one. */
  #ready(): ReadyIsolates {
    const { natives, heapLimitMb, onStuck } = this.#options;
    this.#isolates ??= new ReadyIsolates({ natives, heapLimitMb, onCatastrophe: onStuck });
    return this.#isolates;
  }

  async #run(ready: ReadyIsolate, image: Image, sys: Sys): Promise<number> {
    const { host } = this.#options;
    const requests = new Requests((delayMs, callback) => host.setTimer(delayMs, callback));
    const ended = Promise.withResolvers<number>();
    const guest: Guest = {
      sys,
      image,
      builtins: this.#builtins,
      requests,
      exit: ended.resolve,
      objects: new ObjectTable(OBJECT_LIMIT),
      state: new Map(),
    };
    ready.onCall = (call) => answer(guest, requests, call);
    ready.onFailure = ended.reject;
    ready.run().then(
      () => ended.resolve(0),
      (error: unknown) => ended.reject(this.#lossOf(ready, error)),
    );
    try {
      return await ended.promise;
    } catch (error) {
      return await this.#failed(sys, error);
    } finally {
      requests.close();
      ready.channel.close();
      this.#dispose(ready);
    }
  }

  /** What a process that ended without an exit code leaves. */
  async #failed(sys: Sys, error: unknown): Promise<number> {
    if (error instanceof ProcessEnded) throw error;
    if (error instanceof OutOfMemory) {
      await sys.write(2, encodeText(`${error.message}\n`));
      await sys.kill(await sys.getpid(), SIGABRT);
    }
    const cause = error instanceof Error ? error : new Error(String(error));
    this.#options.host.log({ level: "bug", message: "a guest's isolate failed", cause });
    return 70;
  }

  #lossOf({ isolate }: ReadyIsolate, error: unknown): unknown {
    const message = error instanceof Error ? error.message : String(error);
    if (!message.includes("memory limit")) return error;
    return new OutOfMemory(isolate.isDisposed ? this.#options.heapLimitMb : 0);
  }

  #dispose({ isolate, channel }: ReadyIsolate): void {
    channel.close();
    if (!isolate.isDisposed) isolate.dispose();
  }
}

const SIGABRT = 6;

class OutOfMemory extends Error {
  constructor(limitMb: number) {
    super(`FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory (limit ${limitMb} MB)`);
  }
}

/** A call goes to its handler; one with a number is answered at once, and completed later. */
function answer(guest: Guest, requests: Requests, { name, args, request }: Call): Packed | Promise<Packed> {
  if (process.env["GUEST_TRACE"]) process.stderr.write(`call ${request} ${name} ${JSON.stringify(args).slice(0, 120)}\n`); // TEMPORARY
  const handler = findCall(name);
  if (request === 0) return handler(guest, args);
  requests.start(request, args, () => handler(guest, args));
  return undefined;
}

