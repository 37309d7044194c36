// Files that a sandbox has removed and holds open, and those in memory that never had a name: du(1) sees neither.
import { findTree } from "./process-tree.ts";
import { runCounter } from "./run-counter.ts";

const LOOK_LIMIT_MS = 60_000;
/** The unit of find's %b. */
const BLOCK_BYTES = 512;

/**
 * What is held so by a process and all below it; undefined where that cannot be said in time. Descriptors that are on
 * their way between processes are not seen: what is left of the disk is the host's all the same.
 */
export async function sumNamelessBytes(pid: number): Promise<number | undefined> {
  const places = (await findTree(pid)).map((one) => `/proc/${one}/fd`);
  const tests = ["-mindepth", "1", "-maxdepth", "1", "-type", "f", "-links", "0"];
  const argv = ["find", "-L", ...places, ...tests, "-printf", "%D:%i %b\n"];
  const said = await runCounter(argv, LOOK_LIMIT_MS);
  if (said === undefined) return undefined;
  // Many processes may hold the same file.
  const blocks = new Map(said.split("\n").map((line) => splitLine(line)));
  return [...blocks.values()].reduce((sum, count) => sum + count, 0) * BLOCK_BYTES;
}

function splitLine(line: string): readonly [string, number] {
  const [file = "", blocks] = line.split(" ");
  return [file, Number(blocks ?? 0) || 0];
}
