// One worker thread of a guest process: from its start to its end.
import type { Packed } from "../../node/wire/pack.ts";
import { int } from "./arguments.ts";
import { awaitDisposal } from "./await-disposal.ts";
import { findCall } from "./calls/call-list.ts";
import { bytesOfRead } from "./calls/files.ts";
import { type Calls, type Guest, type Handler, ObjectTable } from "./guest.ts";
import type { MemoryAccount } from "./memory-ledger.ts";
import { Requests } from "./requests.ts";
import type { ThreadParts } from "./threads.ts";

const OBJECT_LIMIT = 65_536;
/** Where a script's limits are too small for Node's own library. */
const LEAST_HEAP_MB = 16;

/** What a thread starts with. */
export interface ThreadStart {
  /** The end of the channel to the thread that made it. */
  readonly port: number;
  readonly name: string;
  readonly execArgv: readonly string[];
  readonly env: readonly (readonly [string, string])[];
  /** Node's resourceLimits in their order; 0 where there is none. */
  readonly limits: readonly number[];
  /** When the process started. */
  readonly origin: readonly number[];
}

export interface ThreadEnd {
  readonly code: number;
  /** Node's code of the error that ended it. */
  readonly error?: string;
}

export interface GuestThread {
  readonly ended: Promise<ThreadEnd>;
  stop(code: number): void;
}

export interface ThreadStartParts extends ThreadParts {
  readonly parent: Guest;
  readonly id: number;
  readonly start: ThreadStart;
}

export async function startThread(parts: ThreadStartParts): Promise<GuestThread> {
  const { host, takeIsolate, heapLimitMb, parent, id, start, account, onStuck } = parts;
  const wantedMb = Math.ceil((start.limits[0] ?? 0) + (start.limits[1] ?? 0));
  const limitMb =
    wantedMb > 0 ? Math.min(heapLimitMb, Math.max(LEAST_HEAP_MB, wantedMb)) : heapLimitMb;
  const ready = await takeIsolate(limitMb);
  const ended = Promise.withResolvers<ThreadEnd>();
  const fail = (): void => ended.resolve({ code: 1 });
  const requests = new Requests((delayMs, callback) => host.setTimer(delayMs, callback), fail);
  const guest: Guest = {
    ...parent,
    requests,
    thread: id,
    exit: (code) => ended.resolve({ code }),
    objects: new ObjectTable(OBJECT_LIMIT),
    state: new Map(),
  };
  const own = ownCalls(start, account);
  ready.onCall = ({ name, args, request }) => {
    const handler = own.get(name) ?? findCall(name);
    if (request === 0) return handler(guest, args);
    requests.start(request, args, () => handler(guest, args), bytesOfRead(name, args));
    return undefined;
  };
  ready.onFailure = fail;
  const left = ready.run().then(
    () => ended.resolve({ code: 0 }),
    (error: unknown) => ended.resolve(endOf(error)),
  );
  const dispose = (): void => {
    requests.close();
    ready.channel.close();
    if (ready.isolate.isDisposed) return;
    ready.isolate.dispose();
    awaitDisposal({ host, account, left, onStuck });
  };
  return {
    ended: ended.promise.finally(dispose),
    stop: (code) => ended.resolve({ code }),
  };
}

/** Code that was terminated at its heap's limit fails with null. */
function endOf(error: unknown): ThreadEnd {
  const message = error instanceof Error ? error.message : String(error);
  const isMemory = error === null || /memory limit|disposed during execution/.test(message);
  return isMemory ? { code: 1, error: "ERR_WORKER_OUT_OF_MEMORY" } : { code: 1 };
}

/** The calls that a thread has otherwise than its process. */
function ownCalls(
  { port, name, execArgv, env, limits, origin }: ThreadStart,
  account: MemoryAccount,
): ReadonlyMap<string, Handler> {
  const calls: Calls = {
    async init({ image, sys, thread }): Promise<Packed> {
      const { nowMs } = await sys.clock();
      return {
        argv: [image.argv[0] ?? image.path, ...execArgv],
        execPath: image.path,
        env: env.map((entry) => [...entry]),
        pid: await sys.getpid(),
        now: nowMs,
        version: process.version,
        account: account.number,
        thread: { id: thread, port, name, limits: [...limits], origin: [...origin] },
      };
    },
    exit(guest, args): Promise<Packed> {
      guest.exit(int(args, 0));
      return new Promise(() => undefined);
    },
  };
  return new Map(Object.entries(calls));
}
