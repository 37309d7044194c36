import type { Operation, Outcome } from "./operation.ts";

/** Where memfs differs from Linux. The host agrees with us in each of these cases. */
interface Deviation {
  readonly reason: string;
  applies(operation: Operation, ours: Outcome, memfs: Outcome): boolean;
}

export const memfsDeviations: readonly Deviation[] = [
  {
    reason: "resolves `.`, `..` and slashes as text, before it looks at files",
    applies: (operation) => pathsOf(operation).some((path) => /\/(\.\.?)?(\/|$)/.test(path)),
  },
  {
    reason: "limits neither names nor paths",
    applies: (operation) =>
      pathsOf(operation).some((path) => /[^/]{256}/.test(path) || path.length >= 4096),
  },
  {
    reason: "holds root to permission bits",
    applies: (_operation, _ours, memfs) => errnoOf(memfs) === "EACCES",
  },
  {
    reason: "fails to unlink a directory with POSIX's errno, not Linux's",
    applies: ({ op }, ours, memfs) =>
      op === "unlink" && errnoOf(ours) === "EISDIR" && errnoOf(memfs) === "EPERM",
  },
  {
    reason: "knows neither umask nor set-id bits of directories, nor the size and mode of symlinks",
    applies: ({ op }, ours, memfs) =>
      (op === "stat" || op === "lstat") && isValue(ours) && isValue(memfs),
  },
  {
    reason: "replaces anything by rename, and moves directories into themselves",
    applies: ({ op }, ours, memfs) => op === "rename" && !isValue(ours) && isValue(memfs),
  },
  {
    reason: "does not follow links on the way to a name that is made or moved",
    applies: ({ op }, ours, memfs) => isNaming(op) && isValue(ours) && confused.has(errnoOf(memfs)),
  },
  {
    reason: "checks what rename would replace after what it moves",
    applies: ({ op }, ours, memfs) =>
      op === "rename" && !isValue(ours) && confused.has(errnoOf(memfs)),
  },
  {
    reason: "loses one of two names of a file by rename onto the other",
    applies: (_operation, ours, memfs) => isValue(ours) && errnoOf(memfs) === "ENOENT",
  },
  {
    reason: "makes a directory in place of a link that leads nowhere",
    applies: ({ op }, ours, memfs) =>
      op === "mkdir" && errnoOf(ours) === "EEXIST" && isValue(memfs),
  },
  {
    reason: "makes hard links of directories, and into what is none",
    applies: ({ op }, ours, memfs) => op === "link" && !isValue(ours) && isValue(memfs),
  },
  {
    reason: "reads a directory as an empty file",
    applies: ({ op }, ours) => op === "readFile" && errnoOf(ours) === "EISDIR",
  },
  {
    reason: "writes to files opened for reading, and to directories",
    applies: ({ op }, ours, memfs) =>
      op === "write" && ["EBADF", "EISDIR"].includes(errnoOf(ours)) && isValue(memfs),
  },
  {
    reason: "confuses what is missing with what is no directory",
    applies: (_operation, ours, memfs) =>
      confused.has(errnoOf(ours)) && confused.has(errnoOf(memfs)),
  },
];

const confused: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EEXIST", "EISDIR"]);

function isNaming(op: Operation["op"]): boolean {
  return op === "rename" || op === "symlink" || op === "mkdir" || op === "link";
}

function pathsOf(operation: Operation): string[] {
  if (!("path" in operation)) return [];
  return "to" in operation ? [operation.path, operation.to] : [operation.path];
}

function errnoOf(outcome: Outcome): string {
  return "errno" in outcome ? outcome.errno : "";
}

function isValue(outcome: Outcome): boolean {
  return "value" in outcome;
}
