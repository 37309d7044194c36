import {
  type Execution,
  type Executor,
  encodeText,
  type Image,
  isKernelError,
  type KernelHost,
  ProcessEnded,
  type Sys,
} from "../../../kernel/index.ts";
import { Builtins } from "./builtins.ts";
import { Pool } from "./guest.ts";
import { GuestProcess } from "./guest-process.ts";
import type { GuestNatives } from "./load-natives.ts";
import { MemoryAccount } from "./memory-ledger.ts";
import { NODE_MAGIC } from "./node-magic.ts";
import { type ReadyIsolate, ReadyIsolates } from "./ready-isolates.ts";

const magic = encodeText(NODE_MAGIC);

/** Isolates kept ready in a VM that runs JavaScript. */
const READY = 2;
/** A process that has just started has the cores for itself. */
const REFILL_MS = 50;
/** A VM that ran no JavaScript for so long keeps none. */
const KEEP_MS = 30_000;

export interface IsolateExecutorOptions {
  readonly natives: GuestNatives;
  readonly host: KernelHost;
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
  readonly #isolates: ReadyIsolates;
  readonly #pool = new Pool();
  #stopRefill = (): void => undefined;
  #stopKeeping = (): void => undefined;

  constructor(options: IsolateExecutorOptions) {
    this.#options = options;
    this.#builtins = new Builtins(options.natives.directory);
    this.#isolates = new ReadyIsolates({
      natives: options.natives,
      onCatastrophe: options.onStuck,
    });
  }

  readonly identify = (): string => "/usr/bin/node";

  readonly accepts = (header: Uint8Array): boolean =>
    header.length >= magic.length && magic.every((byte, at) => header[at] === byte);

  start(image: Image, sys: Sys): Execution {
    const started: { process?: GuestProcess; isKilled: boolean } = { isKilled: false };
    const run = async (): Promise<number> => {
      const { v8HeapLimitMb, maxIsolates } = await sys.getrlimits();
      const { memory } = await sys.sysinfo();
      const heapLimitMb = Math.min(v8HeapLimitMb, Math.floor(memory.totalBytes / 1024 ** 2));
      const { host, onStuck, natives } = this.#options;
      const take = (limitMb: number): Promise<ReadyIsolate> =>
        this.#isolates.take(limitMb, maxIsolates);
      const ready = await take(heapLimitMb);
      if (started.isKilled) {
        ready.isolate.dispose();
        throw new ProcessEnded(0);
      }
      this.#refillIn(REFILL_MS);
      const builtins = this.#builtins;
      const account = new MemoryAccount(natives.ledger);
      const pool = this.#pool;
      const parts = { ready, image, sys, host, builtins, account, pool, onStuck };
      const process = new GuestProcess({ ...parts, heapLimitMb, takeIsolate: take });
      started.process = process;
      return process.run();
    };
    return {
      ended: run()
        .catch((error: unknown) => refuse(sys, error))
        .finally(() => this.#refillIn(0)),
      kill() {
        started.isKilled = true;
        started.process?.kill();
      },
      use: () => started.process?.use() ?? { memoryBytes: 0, cpuMs: 0 },
    };
  }

  /** Memory is wanted elsewhere: keeps no isolates ahead of need, until a process ends. */
  giveBack(): void {
    this.#stopRefill();
    this.#isolates.clear();
  }

  /** Has isolates made for the next processes, unless that is about to happen; gives them back later. */
  #refillIn(delayMs: number): void {
    const { host } = this.#options;
    this.#stopRefill();
    this.#stopRefill = host.setTimer(delayMs, () => {
      this.#stopKeeping();
      this.#stopKeeping = host.setTimer(KEEP_MS, () => this.#isolates.clear());
      this.#isolates.refill(READY).catch((cause: unknown) => {
        host.log({ level: "bug", message: "no isolate can be made ahead of need", cause });
      });
    });
  }
}

/** A process that could not be started says why. */
async function refuse(sys: Sys, error: unknown): Promise<number> {
  if (!isKernelError(error)) throw error;
  await sys.write(2, encodeText(`node: ${error.words}\n`));
  return 1;
}
