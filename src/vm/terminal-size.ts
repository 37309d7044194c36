import { HostError } from "./host-error.ts";
import type { PtyRequest } from "./wire/messages.ts";

/** Linux's: struct winsize has 16 bits for each; 0 is a size that nobody knows. */
const terminalLimits = { cols: [0, 65_535], rows: [0, 65_535] } as const;
/** A screen is kept cell by cell: more than any monitor shows, and 2 MB at most. */
const screenLimits = { cols: [2, 500], rows: [1, 200] } as const;

/** TERMINAL_SIZE. */
export function checkTerminalSize({ cols, rows, hasScreen }: PtyRequest): void {
  const limits = hasScreen === true ? screenLimits : terminalLimits;
  if (isWithin(cols, limits.cols) && isWithin(rows, limits.rows)) return;
  const [wide, high] = [limits.cols.join(" to "), limits.rows.join(" to ")];
  throw new HostError("TERMINAL_SIZE", { cols, rows, wide, high });
}

function isWithin(value: number, [least, most]: readonly [number, number]): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
