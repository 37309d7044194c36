// fs.cpSync's own functions of node_file.cc.
import { CallError, call } from "../../channel.ts";
import { codedError, uvException } from "../../errors.ts";
import { checkMode, pathOf } from "./check-arguments.ts";
import { copyFailure, stdError } from "./copy-failure.ts";
import { textOf } from "./encode-name.ts";
import { type Any, perform } from "./operation.ts";

const S_IFMT = 0o170000;
const kinds: Readonly<Record<number, string>> = {
  0o040000: "directory",
  0o120000: "symlink",
  0o140000: "socket",
  0o010000: "fifo",
};

interface Seen {
  readonly kind: string;
  readonly dev: number;
  readonly ino: number;
}

export const copies = {
  cpSyncCheckPaths: checkPaths,
  cpSyncOverrideFile: (from: Any, to: Any, mode: Any, preserveTimestamps: Any) => {
    const flags = checkMode(mode);
    attempt("unlink", nameOf(to), () => call("unlink", pathOf(to)));
    if (flags === 0) attempt("cp", nameOf(to), () => call("copyFile", pathOf(from), pathOf(to), 0));
    else
      perform(undefined, {
        call: "copyFile",
        args: [pathOf(from), pathOf(to), flags],
        syscall: "cp",
        path: from,
        dest: to,
      });
    if (preserveTimestamps === true) copyTimes(from, to);
  },
  cpSyncCopyDir: (from: Any, to: Any, ...options: Any[]) => {
    const flags = options.slice(0, 5).map((option) => option === true);
    const why = call("copyTree", pathOf(from), pathOf(to), ...flags, false, 0);
    if (why !== undefined) throw copyFailure(why);
  },
};

function nameOf(path: Any): string {
  return typeof path === "string" ? path : textOf(path);
}

function attempt(syscall: string, path: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw error instanceof CallError ? stdError(error.code, syscall, path) : error;
  }
}

function copyTimes(from: Any, to: Any): void {
  const bytes: Uint8Array = perform(undefined, {
    call: "stat",
    args: [pathOf(from)],
    syscall: "stat",
    path: from,
  });
  const stat = new Float64Array(bytes.slice().buffer);
  const time = (at: number): number => (stat[at] ?? 0) + (stat[at + 1] ?? 0) / 1e9;
  perform(undefined, {
    call: "utimes",
    args: [pathOf(to), time(10), time(12)],
    syscall: "utime",
    path: to,
  });
}

function look(name: string, path: Any): Seen | string {
  try {
    const bytes: Uint8Array = call(name, pathOf(path));
    const stat = new Float64Array(bytes.slice().buffer);
    const kind = kinds[(stat[1] ?? 0) & S_IFMT] ?? "file";
    return { kind, dev: stat[0] ?? 0, ino: stat[7] ?? 0 };
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}

function checkPaths(from: Any, to: Any, dereference: Any, recursive: Any): void {
  const isFollowing = dereference === true;
  const source = look(isFollowing ? "lstat" : "stat", from);
  if (typeof source === "string") {
    throw uvException(source, { syscall: isFollowing ? "stat" : "lstat", path: nameOf(from) });
  }
  const target = look(isFollowing ? "stat" : "lstat", to);
  const isDirectory = source.kind === "directory" || (isFollowing && source.kind === "symlink");
  const sourceName = nameOf(from);
  const targetName = nameOf(to);
  if (typeof target !== "string")
    requireFit({ sourceName, targetName, from, to }, isDirectory, target);
  const folder = sourceName.endsWith("/") ? sourceName : `${sourceName}/`;
  if (isDirectory && (targetName.startsWith(folder) || isBelow(source, targetName))) {
    throw coded("EINVAL", `Cannot copy ${folder} to a subdirectory of self ${targetName}`);
  }
  if (isDirectory && recursive !== true) {
    throw codedError(
      Error,
      "ERR_FS_EISDIR",
      `Recursive option not enabled, cannot copy a directory: ${folder}`,
    );
  }
  if (source.kind === "socket") throw coded("SOCKET", `Cannot copy a socket file: ${targetName}`);
  if (source.kind === "fifo") throw coded("FIFO_PIPE", `Cannot copy a FIFO pipe: ${targetName}`);
  if (typeof target === "string") makeParent(targetName);
}

interface Pair {
  readonly sourceName: string;
  readonly targetName: string;
  readonly from: Any;
  readonly to: Any;
}

function requireFit(
  { sourceName, targetName, from, to }: Pair,
  isDirectory: boolean,
  target: Seen,
): void {
  const a = look("stat", from);
  const b = look("stat", to);
  if (typeof a !== "string" && typeof b !== "string" && a.dev === b.dev && a.ino === b.ino) {
    throw coded("EINVAL", `src and dest cannot be the same ${targetName}`);
  }
  if (isDirectory && target.kind !== "directory") {
    throw coded(
      "DIR_TO_NON_DIR",
      `Cannot overwrite non-directory ${targetName} with directory ${sourceName}`,
    );
  }
  if (!isDirectory && target.kind === "directory") {
    throw coded(
      "NON_DIR_TO_DIR",
      `Cannot overwrite directory ${targetName} with non-directory ${sourceName}`,
    );
  }
}

/** Whether a directory above `name` is this one. */
function isBelow(source: Seen, name: string): boolean {
  for (let parent = parentOf(name); parent !== ""; parent = parentOf(parent)) {
    const seen = look("stat", parent);
    if (typeof seen === "string") return false;
    if (seen.dev === source.dev && seen.ino === source.ino) return true;
  }
  return false;
}

function parentOf(name: string): string {
  const slash = name.lastIndexOf("/");
  return slash < 0 ? "" : name.slice(0, slash);
}

function makeParent(name: string): void {
  const parent = parentOf(name);
  if (parent === "") return;
  try {
    call("mkdir", parent, 0o777, true);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}

function coded(name: string, words: string): Error {
  return codedError(Error, `ERR_FS_CP_${name}`, words);
}
