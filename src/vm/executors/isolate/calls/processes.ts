// A process about itself: how it started, its end, its loop.
import { KernelError } from "../../../../kernel/index.ts";
import { int, maybe, number, path, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";

/** A loop that waits for ever is woken now and then, to no effect. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export const processCalls: Calls = {
  async init({ image, sys }) {
    const { nowMs } = await sys.clock();
    return {
      argv: [...image.argv],
      execPath: image.path,
      env: [...image.env].map(([name, value]) => [name, value]),
      pid: await sys.getpid(),
      now: nowMs,
      version: process.version,
    };
  },
  exit(guest, args) {
    guest.exit(int(args, 0) & 0xff);
    // The guest waits for an answer that does not come, until its isolate is gone.
    return new Promise(() => undefined);
  },
  async abort({ sys }) {
    await sys.kill(await sys.getpid(), 6);
    return new Promise(() => undefined);
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
