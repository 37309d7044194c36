// What is to be found on this machine of a sandbox: nothing, once it is over.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Traces {
  readonly home: string;
  readonly ref: string;
  /** A word that is in the command line of its processes and in no other's. */
  readonly mark: string;
}

/** In words: processes, control groups, mounts and directories. */
export function findRemains({ home, ref, mark }: Traces): string[] {
  return [
    ...findProcesses(mark).map((pid) => `process ${pid}`),
    ...readMounts()
      .filter(({ at }) => at.startsWith(home))
      .map(({ at }) => `mount ${at}`),
    ...findControlGroups(ref).map((path) => `control group ${path}`),
    ...namesIn(join(home, "sandboxes", "local")).filter((name) => name === ref),
  ];
}

/** Those that run with a word in their command line, by their numbers on this host. */
export function findProcesses(mark: string): number[] {
  return namesIn("/proc")
    .map(Number)
    .filter(
      (pid) => pid > 0 && pid !== process.pid && readQuietly(`/proc/${pid}/cmdline`).includes(mark),
    );
}

/** The processes between this one and another. */
export function findParents(pid: number): number[] {
  const parent = Number(/\) \S (\d+)/.exec(readQuietly(`/proc/${pid}/stat`))?.[1] ?? 0);
  return parent <= 1 || parent === process.pid ? [] : [parent, ...findParents(parent)];
}

function findControlGroups(ref: string): string[] {
  return readMounts()
    .filter(({ type }) => type.startsWith("cgroup"))
    .flatMap(({ at }) => namesIn(at).map((name) => join(at, name)))
    .filter((path) => path.includes("agentos-sandbox-") && path.endsWith(ref));
}

function readMounts(): { readonly at: string; readonly type: string }[] {
  const lines = readFileSync("/proc/mounts", "utf8").trim().split("\n");
  return lines.map((line) => line.split(" ")).map(([, at = "", type = ""]) => ({ at, type }));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Nothing of a process that has gone meanwhile. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
