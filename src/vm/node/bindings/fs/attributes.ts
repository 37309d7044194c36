// What is known of files, and changing it: node_file.cc's functions of these names.
import { CallError, call } from "../../channel.ts";
import { checkFd, checkMode, pathOf } from "./check-arguments.ts";
import { type Any, perform, syncExceptionOf } from "./operation.ts";
import { fillStatFs, fillStats, freshStats } from "./stats.ts";

type Form = "sync" | "callback" | "promise";

function statResult(isBigint: boolean): (bytes: Uint8Array, form: Form) => unknown {
  return (bytes, form) =>
    form === "promise" ? freshStats(bytes, isBigint) : fillStats(bytes, isBigint);
}

/** The form that waits; nothing for a missing file where that is not to be an error. */
function statNow(
  name: string,
  path: unknown,
  isBigint: unknown,
  mayBeMissing: (code: string) => boolean,
): unknown {
  try {
    return fillStats(call(name, pathOf(path)), isBigint === true);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (mayBeMissing(error.code)) return undefined;
    throw syncExceptionOf({ syscall: name, path }, error);
  }
}

export const attributes = {
  stat: (path: Any, isBigint: Any, req: Any, throwIfNoEntry: Any) => {
    const isMissing = (code: string): boolean =>
      throwIfNoEntry === false && (code === "ENOENT" || code === "ENOTDIR");
    if (req === undefined) return statNow("stat", path, isBigint, isMissing);
    const operation = {
      args: [pathOf(path)],
      syscall: "stat",
      path,
      result: statResult(isBigint === true),
    };
    if (throwIfNoEntry !== false) return perform(req, { call: "stat", ...operation });
    const result = (bytes: Uint8Array | null, form: Form): unknown =>
      bytes === null ? undefined : operation.result(bytes, form);
    return perform(req, { ...operation, call: "statIfThere", result });
  },
  lstat: (path: Any, isBigint: Any, req: Any, throwIfNoEntry: Any) => {
    if (req === undefined) {
      return statNow(
        "lstat",
        path,
        isBigint,
        (code) => throwIfNoEntry === false && code === "ENOENT",
      );
    }
    const result = statResult(isBigint === true);
    return perform(req, { call: "lstat", args: [pathOf(path)], syscall: "lstat", path, result });
  },
  fstat: (fd: Any, isBigint: Any, req: Any) => {
    const result = statResult(isBigint === true);
    return perform(req, { call: "fstat", args: [checkFd(fd)], syscall: "fstat", result });
  },
  statfs: (path: Any, isBigint: Any, req: Any) => {
    const result = (bytes: Uint8Array): unknown => fillStatFs(bytes, isBigint === true);
    return perform(req, { call: "statfs", args: [pathOf(path)], syscall: "statfs", path, result });
  },
  internalModuleStat: (first: Any, second?: Any) =>
    call("moduleStat", typeof first === "string" ? first : second),
  existsSync: (path: Any) => call("moduleStat", pathOf(path)) >= 0,
  access: (path: Any, mode: Any, req: Any) =>
    perform(req, {
      call: "access",
      args: [pathOf(path), checkMode(mode)],
      syscall: "access",
      path,
    }),
  chmod: (path: Any, mode: Any, req: Any) =>
    perform(req, { call: "chmod", args: [pathOf(path), mode], syscall: "chmod", path }),
  fchmod: (fd: Any, mode: Any, req: Any) =>
    perform(req, { call: "fchmod", args: [checkFd(fd), mode], syscall: "fchmod" }),
  chown: (path: Any, uid: Any, gid: Any, req: Any) =>
    perform(req, { call: "chown", args: [pathOf(path), uid, gid], syscall: "chown", path }),
  fchown: (fd: Any, uid: Any, gid: Any, req: Any) =>
    perform(req, { call: "fchown", args: [checkFd(fd), uid, gid], syscall: "fchown" }),
  lchown: (path: Any, uid: Any, gid: Any, req: Any) =>
    perform(req, { call: "lchown", args: [pathOf(path), uid, gid], syscall: "lchown", path }),
  utimes: (path: Any, atime: Any, mtime: Any, req: Any) =>
    perform(req, { call: "utimes", args: [pathOf(path), atime, mtime], syscall: "utime", path }),
  futimes: (fd: Any, atime: Any, mtime: Any, req: Any) =>
    perform(req, { call: "futimes", args: [checkFd(fd), atime, mtime], syscall: "futime" }),
  lutimes: (path: Any, atime: Any, mtime: Any, req: Any) =>
    perform(req, { call: "lutimes", args: [pathOf(path), atime, mtime], syscall: "lutime", path }),
};
