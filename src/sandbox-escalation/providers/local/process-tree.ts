import { readdir, readFile } from "node:fs/promises";

/** This process and all below it. */
export async function findTree(pid: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let level = [pid]; level.length > 0; ) {
    found.push(...level);
    level = (await Promise.all(level.map(findChildren))).flat();
  }
  return found;
}

/** Those that any of its threads started: each has a list of its own, see proc_tid_children(5). */
async function findChildren(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""),
    ),
  );
  return lists
    .flatMap((list) => list.split(" "))
    .filter((word) => word !== "")
    .map(Number);
}
