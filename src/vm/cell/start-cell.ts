// What a cell does from its start: enters the jail, loads what a first command needs, and says that
// it is ready. main.ts is the entry; the build makes a few scripts of all this.
import { readJailOptions } from "../confinement/jail-options.ts";
import { loadNatives } from "../executors/isolate/load-natives.ts";
import { preloadPrograms } from "../executors/program/preload.ts";
import { FrameChannel } from "../wire/frame-channel.ts";
import type { ToCell } from "../wire/messages.ts";
import { Cell, makeImage } from "./cell.ts";
import { CellWire } from "./cell-wire.ts";
import { enterJail } from "./jail/enter-jail.ts";
import { openWire } from "./open-wire.ts";
import { warmUp } from "./warm-up.ts";

/** The wire's descriptor, see broker/cell-process. */
const WIRE_FD = 3;

/** Runs the cell until the wire closes. `build` is the directory of the build it belongs to. */
export async function startCell(build: string): Promise<void> {
  const natives = loadNatives(build);
  process.on("uncaughtException", endAtOnce);
  enterJail(readJailOptions(process.argv));
  const image = await warmImage();
  const channel = new FrameChannel(openWire(WIRE_FD), {
    reusesBuffers: true,
    onFrame: (header, body) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server is trusted and ships with this code
      cell.receive(header as ToCell, body);
    },
  });
  const cell = new Cell(image, wireOf(channel), natives);
  channel.post({ type: "ready" });
  await channel.closed;
  process.exit(0);
}

/** What cannot be sent any more leaves nothing to live for. */
function wireOf(channel: FrameChannel): CellWire {
  const orExit = (send: () => void): void => {
    try {
      send();
    } catch (error) {
      process.stderr.write(`the wire is gone: ${String(error)}\n`);
      process.exit(1);
    }
  };
  return new CellWire({
    send: (message, body, isGiven) =>
      orExit(() => channel.post(message, body, isGiven === true ? nothing : undefined)),
    sendFirst: (message) => orExit(() => channel.postFirst(message)),
    untilRoom: () => channel.untilRoom(),
  });
}

const nothing = (): void => undefined;

/** A bug: said on the log. An ordinary exit would wait for the threads of guests. */
function endAtOnce(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  process.kill(process.pid, "SIGKILL");
}

/** The root of the VM, after a command has run on it; the build does this to fill the code cache. */
export async function warmImage(): Promise<ReturnType<typeof makeImage>> {
  await preloadPrograms();
  const image = makeImage();
  await warmUp(image);
  return image;
}
