// What a cell does from its start: enters the jail and says that it is ready. main.ts is the entry; the
// build makes a few scripts of all this.
import { readJailOptions } from "../confinement/jail-options.ts";
import { loadNatives } from "../executors/isolate/load-natives.ts";
import { makeImage } from "./boot-machine.ts";
import { connectCell } from "./connect-cell.ts";
import { endNow } from "./end-now.ts";
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
  const image = makeImage();
  const { closed } = connectCell({
    stream: openWire(WIRE_FD),
    image,
    natives,
    warmUp: () => warmUp(image),
    onLost: endUnheard,
  });
  await closed;
  process.exit(0);
}

/** What cannot be sent any more leaves nothing to live for. */
function endUnheard(error: unknown): void {
  process.stderr.write(`the wire is gone: ${String(error)}\n`);
  process.exit(1);
}

/** A bug: said on the log. */
function endAtOnce(error: Error): void {
  process.stderr.write(`${error.stack ?? error.message}\n`);
  endNow();
}

/** What a cell does while it waits to become a VM; the build does it, too, to fill the code cache. */
export async function warmCell(): Promise<void> {
  await warmUp(makeImage());
}
