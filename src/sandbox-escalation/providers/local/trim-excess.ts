import type { DiskUse } from "./disk-watch.ts";
import { type ConfinedHost, insidePathOf, runConfined } from "./writable-root/run-confined.ts";

export interface Excess {
  readonly directories: readonly string[];
  readonly limitBytes: number;
  /** Older files are left alone: they were within the limit. */
  readonly sinceMs: number;
  readonly measure: (directories: readonly string[]) => Promise<DiskUse | undefined>;
}

/**
 * A sandbox that ended above its limit leaves no more than the limit on the disk: files that it wrote are removed, the last
 * written first. Nothing of it runs any more, but its VM still does: what removes them sees these directories and nothing
 * else.
 */
export async function trimExcess(host: ConfinedHost, excess: Excess): Promise<DiskUse> {
  const removed = { bytes: 0, files: 0 };
  const use = await excess.measure(excess.directories);
  for (let over = (use?.bytes ?? 0) - excess.limitBytes; over > 0; ) {
    const sizes = await readSizes(host, excess);
    const { bytes, files } = countFirst(sizes, over);
    if (files === 0) break;
    const remove = `cut -z -d " " -f 3- | xargs -0 -r rm -f --`;
    await runOnWritten(host, excess, `head -z -n ${files} | ${remove}`);
    over -= bytes;
    removed.bytes += bytes;
    removed.files += files;
  }
  return removed;
}

/** Of the files that were written last. */
async function readSizes(host: ConfinedHost, excess: Excess): Promise<readonly number[]> {
  const sizes = `head -z -n ${FILES_AT_ONCE} | cut -z -d " " -f 2 | tr "\\0" "\\n"`;
  const text = await runOnWritten(host, excess, sizes);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [Number(line) * BLOCK_BYTES]));
}

/** Gives a script "TIME BLOCKS PATH\0" of each file, the last written first. Programs cannot set that time, see inode(7). */
async function runOnWritten(
  host: ConfinedHost,
  { directories, sinceMs }: Excess,
  script: string,
): Promise<string> {
  const since = (sinceMs / 1000).toFixed(3);
  const find = `find "$@" -xdev -type f -newerct @${since} -size +0 -printf "%C@ %b %p\\0"`;
  const argv = ["sh", "-c", `${find} | sort -z -r -n | ${script}`, "sh"];
  return await runConfined(host, {
    argv: [...argv, ...directories.map(insidePathOf)],
    directories,
  });
}

/** How many of the first files have so many bytes together. */
function countFirst(sizes: readonly number[], over: number): DiskUse {
  let bytes = 0;
  let files = 0;
  for (const size of sizes) {
    if (bytes >= over) break;
    bytes += size;
    files += 1;
  }
  return { bytes, files };
}

const FILES_AT_ONCE = 4096;
/** find(1)'s %b. */
const BLOCK_BYTES = 512;
