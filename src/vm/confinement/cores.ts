// The cores of this machine as a thread sees them. Nothing here gives rights: it may be kept in the jail.
import { findFfi } from "./ffi.ts";

export interface Cores {
  /** The one this thread runs on, now; -1 where that cannot be told. */
  current(): number;
  /** Lets another thread that wants this core have it. */
  yield(): void;
}

export function findCores(): Cores {
  const ffi = process.platform === "linux" ? findFfi() : undefined;
  if (ffi === undefined) return { current: () => -1, yield: () => undefined };
  const { sched_getcpu, sched_yield } = new ffi.DynamicLibrary(null).getFunctions(signatures);
  return { current: sched_getcpu, yield: sched_yield };
}

const signatures = {
  sched_getcpu: { arguments: [], return: "int32" },
  sched_yield: { arguments: [], return: "int32" },
} as const;
