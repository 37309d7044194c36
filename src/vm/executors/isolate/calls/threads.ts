// Threads of a process: further isolates that share its files and its pid.
import { int, list, maybe, number, record, text, texts } from "../arguments.ts";
import type { Calls } from "../guest.ts";

export const threadCalls: Calls = {
  /** The number of a thread that is to be started. */
  threadNew: ({ threads }) => threads.reserve(),
  async threadStart(guest, args) {
    const given = record(args, 1);
    await guest.threads.start(guest, int(args, 0), {
      port: int([given["port"]], 0),
      name: text([given["name"]], 0),
      execArgv: texts([given["execArgv"]], 0),
      env: list([given["env"]], 0).map((entry) => {
        const [name = "", value = ""] = texts([entry], 0);
        return [name, value];
      }),
      origin: list([given["origin"]], 0).map((_, index, all) => number(all, index)),
      limits: list([given["limits"]], 0).map((_, index, all) => number(all, index)),
    });
    return undefined;
  },
  /** How a thread ended: its exit code, and Node's code for what ended it otherwise. */
  async threadWait({ threads }, args) {
    const { code, error } = await threads.wait(int(args, 0));
    return [code, error];
  },
  threadStop({ threads }, args) {
    threads.stop(int(args, 0), maybe(int, args, 1) ?? 1);
    return undefined;
  },
};
