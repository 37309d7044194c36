import { encodeText, type FileSystem } from "../../kernel/index.ts";
import { preloadPrograms } from "../executors/program/preload.ts";
import { Cell } from "./cell.ts";
import { CellWire } from "./cell-wire.ts";

/** Goes through what most commands do: the shell, a pipeline, files, listings. */
const COMMAND = "cd /tmp; echo warm > f; ls -l / | cat | wc -l; rm -f f; : $(echo x)";

/**
 * Loads likely programs and runs a command in a VM that is thrown away, so that the first command of the
 * real one finds its code loaded and compiled. Nothing of it stays: the image is read-only. Takes as long as all
 * the rest of a cell's start, so only a cell that nobody waits for does it.
 */
export async function warmUp(image: FileSystem): Promise<void> {
  await preloadPrograms();
  const { promise, resolve } = Promise.withResolvers<void>();
  const wire = new CellWire({
    send: (message) => {
      const isLast = message.type === "data" && message.isLast === true;
      if (isLast || message.type === "failure") resolve();
    },
    sendFirst: () => undefined,
    hasRoom: () => true,
    untilRoom: async () => undefined,
  });
  const cell = new Cell({ image, wire });
  const nobody = { hostname: "warm", env: {}, limits: {}, memoryBytes: 2 ** 30, permissions: {} };
  cell.receive({ type: "call", id: 1, method: "boot", params: nobody }, new Uint8Array(0));
  // The answer to boot comes before the next call is looked at: both are handled in order.
  await new Promise(setImmediate);
  const params = { stream: 1, hasNoStdin: true, as: "user" };
  cell.receive({ type: "call", id: 2, method: "exec", params }, encodeText(COMMAND));
  await promise;
}
