// Names in directories: node_file.cc's functions of these names.
import { CallError, call } from "../../channel.ts";
import { codedError } from "../../errors.ts";
import { checkMode, pathOf } from "./check-arguments.ts";
import { encodeName, textOf } from "./encode-name.ts";
import { errnoError } from "./errno-error.ts";
import { type Any, type Operation, perform } from "./operation.ts";

function two(syscall: string, from: Any, to: Any): Operation {
  return { call: syscall, args: [pathOf(from), pathOf(to)], syscall, path: from, dest: to };
}

function named(encoding: unknown): (name: string | Uint8Array | undefined) => unknown {
  return (name) => (name === undefined ? undefined : encodeName(name, encoding));
}

export const names = {
  mkdir: (path: Any, mode: Any, isRecursive: Any, req: Any) =>
    perform(req, {
      call: "mkdir",
      args: [pathOf(path), mode, isRecursive === true],
      syscall: "mkdir",
      path,
    }),
  rmdir: (path: Any, req: Any) =>
    perform(req, { call: "rmdir", args: [pathOf(path)], syscall: "rmdir", path }),
  unlink: (path: Any, req: Any) =>
    perform(req, { call: "unlink", args: [pathOf(path)], syscall: "unlink", path }),
  rename: (from: Any, to: Any, req: Any) => perform(req, two("rename", from, to)),
  link: (from: Any, to: Any, req: Any) => perform(req, two("link", from, to)),
  symlink: (target: Any, path: Any, _flags: Any, req: Any) =>
    perform(req, two("symlink", target, path)),
  readlink: (path: Any, encoding: Any, req: Any) =>
    perform(req, {
      call: "readlink",
      args: [pathOf(path)],
      syscall: "readlink",
      path,
      result: named(encoding),
    }),
  realpath: (path: Any, encoding: Any, req: Any) =>
    perform(req, {
      call: "realpath",
      args: [pathOf(path)],
      syscall: "realpath",
      path,
      result: named(encoding),
    }),
  mkdtemp: (prefix: Any, encoding: Any, req: Any) => {
    const path = `${typeof prefix === "string" ? prefix : textOf(prefix)}XXXXXX`;
    return perform(req, {
      call: "mkdtemp",
      args: [pathOf(prefix)],
      syscall: "mkdtemp",
      path,
      result: named(encoding),
    });
  },
  copyFile: (from: Any, to: Any, mode: Any, req: Any) => {
    const args = [pathOf(from), pathOf(to), checkMode(mode)];
    return perform(req, { call: "copyFile", args, syscall: "copyfile", path: from, dest: to });
  },
  rmSync: removeSync,
};

/** Errors that another try may not meet. */
const passing = new Set(["EBUSY", "EMFILE", "ENFILE", "ENOTEMPTY", "EPERM"]);
const removeWords: Readonly<Record<string, string>> = {
  EPERM: "Operation not permitted:",
  ENOTEMPTY: "Directory not empty:",
  ENOTDIR: "Not a directory:",
  EACCES: "Permission denied:",
};

function removeSync(path: Any, maxRetries: Any, isRecursive: Any, retryDelayMs: Any): void {
  const name = typeof path === "string" ? path : textOf(path);
  for (let tries = 0; ; tries += 1) {
    const code = tryRemove(path, isRecursive === true);
    if (code === undefined) return;
    if (code === "EISDIR" && isRecursive !== true) {
      throw codedError(Error, "ERR_FS_EISDIR", `Path is a directory: ${name}`);
    }
    if (passing.has(code) && tries < maxRetries) {
      const seconds = Math.floor(((tries + 1) * retryDelayMs) / 1000);
      if (seconds > 0) call("sleep", seconds * 1000);
      continue;
    }
    const words = removeWords[code];
    throw errnoError(words === undefined ? "UNKNOWN" : code, {
      syscall: "rm",
      path: name,
      words: words ?? "Unknown error",
    });
  }
}

function tryRemove(path: Any, isRecursive: boolean): string | undefined {
  try {
    call("removeAll", pathOf(path), isRecursive);
    return undefined;
  } catch (error) {
    if (error instanceof CallError) return error.code;
    throw error;
  }
}
