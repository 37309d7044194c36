// A process about itself: how it started, its end, its loop.
import { isKernelError, KernelError, O_RDWR, signals } from "../../../../kernel/index.ts";
import { int, maybe, number, path, text, texts } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { resetSignals } from "./signals.ts";
import { environmentOf } from "./start-child.ts";
import { restoreTerminal } from "./terminals.ts";

/** A loop that waits for ever is woken now and then, to no effect. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const HEAP_LIMIT = "heapLimitMb";

/** What the process itself has set for its heap, in MiB. */
export function heapLimitOf({ state }: Guest): number | undefined {
  const limit = state.get(HEAP_LIMIT);
  return typeof limit === "number" ? limit : undefined;
}

export const processCalls: Calls = {
  async init({ image, sys, account }) {
    const { nowMs } = await sys.clock();
    await resetSignals(sys);
    await openStdio(sys);
    return {
      argv: [...image.argv],
      execPath: image.path,
      env: [...image.env].map(([name, value]) => [name, value]),
      pid: await sys.getpid(),
      now: nowMs,
      version: process.version,
      account: account.number,
    };
  },
  /** The process has a lower limit for its heap than the VM gives it. */
  heapLowered({ state }, args) {
    state.set(HEAP_LIMIT, number(args, 0));
    return undefined;
  },
  async exit(guest, args) {
    const code = int(args, 0) & 0xff;
    await restoreTerminal(guest);
    guest.exit(code);
    // The guest waits for an answer that does not come, until its isolate is gone.
    return new Promise(() => undefined);
  },
  /** Ends by a signal that no handler keeps from it. */
  async abort({ sys }, args) {
    const signal = maybe(int, args, 0) ?? signals.SIGABRT;
    await sys.sigaction(signal, "default");
    await sys.sigprocmask("unblock", [signal]);
    await sys.kill(await sys.getpid(), signal);
    return new Promise(() => undefined);
  },
  /** Returns only by failing. */
  async execve({ sys }, args) {
    const env = environmentOf(texts(args, 2));
    const blocked = await sys.sigprocmask("set", []);
    try {
      return await sys.exec({ path: path(args, 0), argv: texts(args, 1), env });
    } catch (error) {
      if (isKernelError(error)) await sys.sigprocmask("set", blocked);
      throw error;
    }
  },
  poll: ({ requests }, args) => requests.poll(Math.min(number(args, 0), LONGEST_WAIT_MS)),
  cancel({ requests }, args) {
    requests.cancel(int(args, 0));
    return undefined;
  },
  nothing: () => undefined,
  builtinSource({ builtins }, args) {
    const source = builtins.find(text(args, 0));
    if (source === undefined) throw new KernelError("ENOENT", text(args, 0));
    return source;
  },
  cwd: ({ sys }) => sys.getcwd(),
  async chdir({ sys }, args) {
    await sys.chdir(path(args, 0));
    return undefined;
  },
  umask: ({ sys }, args) => sys.umask(maybe(int, args, 0)),
  getppid: ({ sys }) => sys.getppid(),
  async kill({ sys }, args) {
    await sys.kill(int(args, 0), int(args, 1));
    return undefined;
  },
  async sleep({ sys }, args) {
    await sys.nanosleep(number(args, 0));
    return undefined;
  },
};

/** As node::PlatformInit: those of the first three fds that are closed are /dev/null. */
async function openStdio(sys: Guest["sys"]): Promise<void> {
  for (let fd = 0; fd < 3; fd += 1) {
    try {
      await sys.fstat(fd);
    } catch (error) {
      if (!isKernelError(error, "EBADF")) throw error;
      await sys.open("/dev/null", O_RDWR);
    }
  }
}
