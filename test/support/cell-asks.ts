import type { CellAsks } from "../../src/vm/broker/cell-process/watchdog.ts";

/** A cell that hears nothing of what the watchdog asks. */
export const quietAsks: CellAsks = {
  ping: () => undefined,
  relieve: () => undefined,
  sayShort: () => undefined,
};
