// The first thing a cell does: it gives up every right it does not need, and says which layers hold.
// What must be in place before the program is loaded (Landlock, no io_uring, the flags) is the
// starter's, in vm/broker/cell-process; the flags' effect is reported here as well.

import { type SyscallRule, syscallNumbers } from "../../../linux/index.ts";
import type { JailOptions } from "../../confinement/jail-options.ts";
import { held, type Layer, type LayerName, notHeld, unavailable } from "../../confinement/layer.ts";
import { type Libc, LibcError, openLibc } from "../../confinement/libc.ts";
import {
  dieWithParent,
  parentPid,
  setNoNewPrivileges,
  setNotDumpable,
  setResourceLimit,
} from "../../confinement/process-rights.ts";
import { filterArchitecture, installFilter } from "../../confinement/seccomp.ts";
import { allowedSyscalls } from "./allowed-syscalls.ts";
import { limitEngine } from "./limit-engine.ts";

export interface JailReport {
  readonly layers: readonly Layer[];
}

/**
 * Enters the jail for good. Called before any guest code and before the cell says it is ready; what
 * the cell still wants to do natively, it does before. Reading the package's own code stays
 * possible, so that modules can be imported later. Ends the process if its parent is already gone.
 */
export function enterJail(options: JailOptions): JailReport {
  const libc = openLibc();
  const layers = nativeLayers.map(({ name, enter }): Layer => {
    if (options.without.includes(name)) return notHeld(name, "switched off by an option");
    if (typeof libc === "string") return withoutLibc(name, libc);
    try {
      return enter(libc, options);
    } catch (error) {
      if (error instanceof LibcError) return notHeld(name, error.message);
      throw error;
    }
  });
  limitEngine();
  return { layers: [...layers, dropPermissions(options)] };
}

interface NativeLayer {
  readonly name: LayerName;
  readonly enter: (libc: Libc, options: JailOptions) => Layer;
}

/** In the order in which they are entered: seccomp is last, as it forbids the calls of the others. */
const nativeLayers: readonly NativeLayer[] = [
  { name: "parent-death", enter: followParent },
  { name: "not-dumpable", enter: hideMemory },
  { name: "resource-limits", enter: limitResources },
  { name: "no-new-privileges", enter: refusePrivileges },
  { name: "seccomp", enter: filterSyscalls },
];

function followParent(libc: Libc, options: JailOptions): Layer {
  dieWithParent(libc);
  // A parent that ended before the line above sends no signal.
  if (parentPid(libc) !== options.parentPid) process.exit(0);
  return held("parent-death", "killed by the kernel when the server ends");
}

function hideMemory(libc: Libc): Layer {
  setNotDumpable(libc);
  return held("not-dumpable", "no core dump, no tracing by the same user");
}

/** Enough for an event loop, the wire and module files; every thread of an executor adds a few. */
const OPEN_FILES_LIMIT = 256;

function limitResources(libc: Libc): Layer {
  setResourceLimit(libc, "core", 0);
  setResourceLimit(libc, "openFiles", OPEN_FILES_LIMIT);
  return held("resource-limits", `no core file, ${OPEN_FILES_LIMIT} open files`);
}

function refusePrivileges(libc: Libc): Layer {
  setNoNewPrivileges(libc);
  return held("no-new-privileges", "setuid and file capabilities have no effect");
}

function filterSyscalls(libc: Libc): Layer {
  const architecture = filterArchitecture();
  if (architecture === undefined)
    return unavailable("seccomp", `there is no list of system calls for ${process.arch}`);
  const allowIoUring = canMakeIoUring(libc);
  const filter = allowedSyscalls({ pid: process.pid, allowIoUring });
  installFilter(libc, filter, { architecture, allThreads: true });
  const calls = new Set(filter.rules.filter(isAllowed).map(({ call }) => call));
  return held("seccomp", `${calls.size} system calls on all threads, the others fail`);
}

function isAllowed(rule: SyscallRule): boolean {
  return rule.verdict === "allow";
}

/** Whether this process could have made an io_uring since it started: libuv makes one with its loop. */
function canMakeIoUring(libc: Libc): boolean {
  try {
    // A null parameter block: EFAULT where the call exists, ENOSYS or EPERM where it is forbidden.
    libc.syscall("io_uring_setup", syscallNumbers.io_uring_setup.x64, 1, 0);
    return true;
  } catch (error) {
    if (!(error instanceof LibcError)) throw error;
    return error.errno === EFAULT;
  }
}

function withoutLibc(name: LayerName, reason: string): Layer {
  return process.platform === "linux" ? notHeld(name, reason) : unavailable(name, reason);
}

/** The permission model, less what only the jail itself needed. */
function dropPermissions(options: JailOptions): Layer {
  const permission = findPermission();
  if (permission === undefined)
    return notHeld("permission-model", "this process was started without --permission");
  permission.drop("ffi");
  if (options.dropAddons) permission.drop("addon");
  const open = outwardScopes.filter((scope) => permission.has(scope));
  if (open.length > 0) return notHeld("permission-model", `still granted: ${open.join(", ")}`);
  return held(
    "permission-model",
    "reads its own code; no writes, network, processes, threads or native code",
  );
}

const outwardScopes = ["fs.write", "net", "child", "worker", "wasi", "inspector", "ffi"];

interface Permission {
  has(scope: string, reference?: string): boolean;
  drop(scope: string, reference?: string): void;
}

/** `process.permission` is absent without --permission, and its drop() has no types yet. */
function findPermission(): Permission | undefined {
  const found: unknown = Reflect.get(process, "permission");
  return isPermission(found) ? found : undefined;
}

function isPermission(value: unknown): value is Permission {
  return typeof value === "object" && value !== null && "has" in value && "drop" in value;
}

const EFAULT = 14;
