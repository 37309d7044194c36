// Puts a seccomp filter on this process, see seccomp(2).
import {
  type Architecture,
  assembleFilter,
  type Filter,
  syscallNumbers,
} from "../../linux/index.ts";
import type { Libc } from "./libc.ts";

/** Undefined where there is no Node of ours for Linux. */
export function filterArchitecture(): Architecture | undefined {
  return process.arch === "x64" || process.arch === "arm64" ? process.arch : undefined;
}

/**
 * Puts the filter on this thread, or with `allThreads` on every thread of the process. The thread
 * needs no_new_privs. Throws LibcError; with `allThreads` also where a thread could not follow.
 */
export function installFilter(
  libc: Libc,
  filter: Filter,
  options: { architecture: Architecture; allThreads: boolean },
): void {
  const program = assembleFilter(filter, options.architecture);
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.length / 8, true);
  header.setBigUint64(8, libc.addressOf(program), true);
  const flags = options.allThreads ? FILTER_FLAG_TSYNC : 0;
  const stuck = libc.syscall(
    "seccomp",
    syscallNumbers.seccomp[options.architecture],
    SET_MODE_FILTER,
    flags,
    new Uint8Array(header.buffer),
  );
  if (stuck !== 0) throw new Error(`thread ${stuck} could not take the seccomp filter`);
}

/** linux/seccomp.h */
const SET_MODE_FILTER = 1;
const FILTER_FLAG_TSYNC = 1;
