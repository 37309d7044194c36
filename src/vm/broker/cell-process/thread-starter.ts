// Starts processes from a thread that has given up their rights first; see starter-thread.ts.
import { closeSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import type { Layer } from "../../confinement/layer.ts";
import type { Libc } from "../../confinement/libc.ts";
import { makeSocketPair, widenSocket } from "../../confinement/socket-pair.ts";
import { defer } from "../../deferred.ts";
import type {
  ProcessCommand,
  ProcessEnd,
  ProcessStarter,
  StartedProcess,
} from "./process-starter.ts";
import type {
  StarterAnswer,
  StarterFds,
  StarterRequest,
  StarterThreadData,
} from "./starter-thread.ts";

/** Resolves when the thread is restricted; rejects when it cannot run at all. */
export async function createThreadStarter(
  libc: Libc,
  data: StarterThreadData,
): Promise<ProcessStarter> {
  // The compiled thread lies beside the compiled starter, the source beside the source.
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./starter-thread.${extension}`, import.meta.url), {
    workerData: data,
    env: {},
    execArgv: ["--no-warnings"],
  });
  const layers = await new Promise<readonly Layer[]>((resolve, reject) => {
    worker.once("message", (message: StarterAnswer) => {
      if (message.kind === "ready") resolve(message.layers);
    });
    worker.once("error", reject);
  });
  return new ThreadStarter(libc, worker, layers);
}

/** What waits on the wire: a few replies of the largest kind. */
const WIRE_BYTES = 1 << 20;

interface Pending {
  readonly started: (pid: number) => void;
  readonly failed: (error: Error) => void;
  readonly ended: (end: ProcessEnd) => void;
}

class ThreadStarter implements ProcessStarter {
  readonly layers: readonly Layer[];
  readonly #libc: Libc;
  readonly #worker: Worker;
  /** Every process from the request on until it is reaped. */
  readonly #processes = new Map<number, Pending>();
  readonly #ends = new Map<number, Promise<ProcessEnd>>();
  #nextId = 1;
  #stopped: Error | undefined;

  constructor(libc: Libc, worker: Worker, layers: readonly Layer[]) {
    this.#libc = libc;
    this.#worker = worker;
    this.layers = layers;
    worker.on("message", (message: StarterAnswer) => this.#receive(message));
    worker.on("error", (error) =>
      this.#stop(error instanceof Error ? error : new Error(String(error))),
    );
    worker.on("exit", () => this.#stop(new Error("the thread that starts cells has ended")));
    worker.unref();
  }

  async start(command: ProcessCommand): Promise<StartedProcess> {
    if (this.#stopped !== undefined) throw this.#stopped;
    const id = this.#nextId++;
    const [wireNear, wireFar] = makeSocketPair(this.#libc);
    for (const fd of [wireNear, wireFar]) widenSocket(this.#libc, fd, WIRE_BYTES);
    const [logNear, logFar] = makeSocketPair(this.#libc);
    const fds: StarterFds = { input: openSync("/dev/null", "r"), log: logFar, wire: wireFar };
    const ended = defer<ProcessEnd>();
    const started = defer<number>();
    this.#processes.set(id, {
      started: started.resolve,
      failed: started.reject,
      ended: ended.resolve,
    });
    this.#ends.set(id, ended.promise);
    // The process counts as something the server waits for; an idle thread does not.
    this.#worker.ref();
    this.#send({ kind: "start", id, command, fds });
    try {
      const pid = await started.promise;
      const wire = new Socket({ fd: wireNear, readable: true, writable: true });
      const log = new Socket({ fd: logNear, readable: true, writable: false });
      return { pid, wire, log, ended: ended.promise, kill: () => this.#send({ kind: "kill", id }) };
    } catch (error) {
      this.#forget(id);
      for (const fd of [wireNear, logNear]) closeSync(fd);
      throw error;
    } finally {
      for (const fd of Object.values(fds)) closeSync(fd);
    }
  }

  async close(): Promise<void> {
    this.#stopped ??= new Error("the thread that starts cells is closed");
    for (const id of this.#processes.keys()) this.#send({ kind: "kill", id });
    await Promise.all(this.#ends.values());
    await this.#worker.terminate();
  }

  #send(request: StarterRequest): void {
    this.#worker.postMessage(request);
  }

  #receive(message: StarterAnswer): void {
    if (message.kind === "ready") return;
    const pending = this.#processes.get(message.id);
    if (message.kind === "started") pending?.started(message.pid);
    else if (message.kind === "failed") pending?.failed(new Error(message.message));
    else {
      pending?.ended({ code: message.code, signal: message.signal });
      this.#forget(message.id);
    }
  }

  #forget(id: number): void {
    this.#processes.delete(id);
    this.#ends.delete(id);
    if (this.#processes.size === 0) this.#worker.unref();
  }

  /** Without the thread the kernel has killed every process it started. */
  #stop(error: Error): void {
    this.#stopped ??= error;
    for (const pending of this.#processes.values()) {
      pending.failed(error);
      pending.ended({ code: null, signal: "SIGKILL" });
    }
    this.#processes.clear();
    this.#ends.clear();
  }
}
