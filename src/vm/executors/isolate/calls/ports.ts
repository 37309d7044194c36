// Messages between the threads of one process.
import { flag, int, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";

export const portCalls: Calls = {
  portPair: ({ threads }) => threads.ports.pair(),
  portJoin: ({ threads }, args) => threads.ports.join(text(args, 0)),
  portPost: ({ threads }, args) => threads.ports.post(int(args, 0), args[1]),
  portTake: ({ threads }, args) => threads.ports.take(int(args, 0), flag(args, 1)),
  async portWait({ threads, thread, requests }, args) {
    const waiter = { thread, signal: requests.signalOf(args) };
    await threads.ports.wait(int(args, 0), flag(args, 1), waiter);
    return undefined;
  },
  portClose({ threads }, args) {
    threads.ports.close(int(args, 0));
    return undefined;
  },
};
