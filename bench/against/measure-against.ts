// Measures the rows of two builds in turns, in several pairs of fresh processes.
import type { Row } from "../row.ts";
import { type AgainstResult, MeasuredRow, type Sides } from "./measured-row.ts";

export interface AgainstWork {
  readonly rows: readonly Row[];
  /** Fresh processes of both builds. */
  readonly makeSides: () => Sides;
  /** Rounds of every row; undefined leaves it to the time that a row takes. */
  readonly rounds: number | undefined;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Pairs of processes. What one process was lucky with, the next need not be. */
const BLOCKS = 10;
const CLEAN_UP_LIMIT_MS = 20_000;

/** Every block measures every row, so that each row is spread over the whole run. */
export async function measureAgainst(work: AgainstWork): Promise<readonly AgainstResult[]> {
  const rows = work.rows.map((row) => new MeasuredRow(row, work.rounds));
  const started = Date.now();
  for (let block = 1; block <= BLOCKS; block++) {
    const sides = work.makeSides();
    try {
      for (const [index, row] of rows.entries()) {
        await row.measureBlock(sides, BLOCKS, work.signal);
        work.signal.throwIfAborted();
        await cleanUp(sides, work.say);
        const minutes = ((Date.now() - started) / 60_000).toFixed(1);
        const place = `block ${block} of ${BLOCKS}, row ${index + 1} of ${rows.length}`;
        work.say(`${minutes} min, ${place}, ${row.progress}`);
      }
    } finally {
      await Promise.all([sides.head.close(), sides.base.close()]);
    }
  }
  return rows.map((row) => row.result());
}

/** Of a build that does not manage it the process is ended; its next call starts another. */
async function cleanUp({ head, base }: Sides, say: AgainstWork["say"]): Promise<void> {
  for (const peer of [head, base]) {
    try {
      await peer.call({ kind: "destroyAll" }, CLEAN_UP_LIMIT_MS);
    } catch (error) {
      say(`VMs could not be destroyed: ${String(error)}`);
    }
  }
}
