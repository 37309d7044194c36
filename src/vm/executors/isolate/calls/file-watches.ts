// Watching files: inotify's events, and files looked at again and again.
import {
  decodeInotify,
  IN_ATTRIB,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_MODIFY,
  IN_MOVE_SELF,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  isKernelError,
  KernelError,
  O_CLOEXEC,
  type Sys,
} from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { bytes, int, maybe, number, path, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { packStat } from "./file-attributes.ts";
import { packName } from "./pack-name.ts";
import { waitReadable } from "./streams.ts";

const EVENT_BYTES = 65_536;
/** What libuv watches. */
const MASK =
  IN_ATTRIB |
  IN_CREATE |
  IN_MODIFY |
  IN_DELETE |
  IN_DELETE_SELF |
  IN_MOVE_SELF |
  IN_MOVED_FROM |
  IN_MOVED_TO;

export const fileWatchCalls: Calls = {
  /** An fd from which `watchNext` brings events of all that `watchAdd` names. */
  async watchOpen({ sys }) {
    return await sys.inotifyInit(O_CLOEXEC);
  },
  /** The number of the watch: one for each file, however often it is added. */
  async watchAdd({ sys }, args) {
    return await sys.inotifyAddWatch(int(args, 0), path(args, 1), MASK);
  },
  async watchRemove({ sys }, args) {
    await sys.inotifyRmWatch(int(args, 0), int(args, 1));
    return undefined;
  },
  /** Waits for events: of each the watch, whether it is a rename, and the name in the directory or "". */
  async watchNext({ sys, requests }, args) {
    const fd = int(args, 0);
    await waitReadable(sys, fd);
    if (requests.signalOf(args)?.aborted === true) throw new KernelError("EINTR");
    const into = new Uint8Array(EVENT_BYTES);
    const count = await sys.read(fd, into);
    return decodeInotify(into.subarray(0, count)).map(({ wd, mask, name }): Packed => {
      return [wd, (mask & ~(IN_ATTRIB | IN_MODIFY)) !== 0, packName(name)];
    });
  },
  /** Waits until a file's state is another than this one: [its errno or "", its new state]. */
  async watchStat({ sys, requests }, args) {
    const name = path(args, 0);
    const intervalMs = Math.max(1, number(args, 1));
    const before = maybe(bytes, args, 2);
    const failure = maybe(text, args, 3);
    for (let isFirst = failure === undefined; ; isFirst = false) {
      if (!isFirst) await pause(sys, intervalMs);
      if (requests.signalOf(args)?.aborted === true) throw new KernelError("EINTR");
      const [errno, state] = await look(sys, name);
      if (failure === undefined || errno !== failure) return [errno, state];
      if (errno === "" && !isEqual(before, state)) return [errno, state];
    }
  },
};

async function pause(sys: Sys, ms: number): Promise<void> {
  await sys.nanosleep(ms).catch((error: unknown) => {
    if (!isKernelError(error, "EINTR")) throw error;
  });
}

async function look(sys: Sys, name: string): Promise<[string, Uint8Array]> {
  try {
    return ["", packStat(await sys.stat(name))];
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return [error.errno, new Uint8Array(18 * 8)];
  }
}

/** Fields 10 and 11 are the time of access, which is not looked at. */
function isEqual(a: Uint8Array | undefined, b: Uint8Array): boolean {
  if (a === undefined || a.length !== b.length) return false;
  return b.every((byte, at) => byte === a[at] || (at >= 80 && at < 96));
}
