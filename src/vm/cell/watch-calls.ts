import {
  decodeInotify,
  IN_ATTRIB,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_ISDIR,
  IN_MODIFY,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  IN_Q_OVERFLOW,
  type Kernel,
  KernelError,
  ProcessEnded,
  type Sys,
} from "../../kernel/index.ts";
import type { CellParams } from "../wire/cell-methods.ts";
import type { WatchEvent } from "../wire/from-cell.ts";
import { credentialsOf } from "./acting.ts";
import type { CellWire } from "./cell-wire.ts";
import { pageOf } from "./page-of.ts";

const MASK =
  IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVED_TO;
const READ_BYTES = 65_536;

const types: readonly (readonly [number, WatchEvent["type"]])[] = [
  [IN_CREATE, "create"],
  [IN_MODIFY, "modify"],
  [IN_ATTRIB, "attributes"],
  [IN_DELETE | IN_DELETE_SELF, "delete"],
  [IN_MOVED_FROM, "move_from"],
  [IN_MOVED_TO, "move_to"],
  [IN_Q_OVERFLOW, "overflow"],
];

/** What the host watches in this VM: each watch is a process of the host's that reads events. */
export class Watches {
  readonly #kernel: Kernel;
  readonly #wire: Pick<CellWire, "send" | "untilRoom">;
  readonly #watches = new Map<number, Sys>();

  constructor(kernel: Kernel, wire: Pick<CellWire, "send" | "untilRoom">) {
    this.#kernel = kernel;
    this.#wire = wire;
  }

  async add({ watch, path, as }: CellParams<"watch">): Promise<void> {
    const sys = this.#kernel.sysOf(this.#kernel.enterAs(credentialsOf(as)));
    try {
      const fd = await sys.inotifyInit();
      await sys.inotifyAddWatch(fd, path, MASK);
      this.#watches.set(watch, sys);
      this.#pump(watch, path, sys, fd).catch((cause: unknown) => {
        if (cause instanceof ProcessEnded) return;
        this.#kernel.host.log({ level: "warning", message: `watch of ${path} ended`, cause });
      });
    } catch (error) {
      await end(sys);
      throw error;
    }
  }

  async remove(watch: number): Promise<void> {
    const found = this.#watches.get(watch);
    if (found === undefined) throw new KernelError("EINVAL", String(watch));
    this.#watches.delete(watch);
    await end(found);
  }

  async #pump(watch: number, path: string, sys: Sys, fd: number): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    while (true) {
      const count = await sys.read(fd, buffer);
      let events: readonly WatchEvent[] = eventsOf(buffer.subarray(0, count), path);
      while (events.length > 0 && this.#watches.has(watch)) {
        const page = pageOf(events);
        events = events.slice(page.length);
        this.#wire.send({ type: "watchEvents", watch, events: [...page] });
        // While the server does not read, events wait in the kernel, up to maxWatchEvents.
        await this.#wire.untilRoom();
      }
    }
  }
}

function eventsOf(bytes: Uint8Array, path: string): WatchEvent[] {
  return decodeInotify(bytes).flatMap(({ mask, name }) => {
    const found = types.find(([bits]) => (mask & bits) !== 0);
    if (found === undefined) return [];
    const full = name === "" ? path : `${path === "/" ? "" : path}/${name}`;
    return [{ type: found[1], path: full, isDirectory: (mask & IN_ISDIR) !== 0 }];
  });
}

async function end(sys: Sys): Promise<void> {
  try {
    await sys.exit(0);
  } catch (error) {
    if (!(error instanceof ProcessEnded)) throw error;
  }
}
