import type { Process } from "../process/process.ts";
import { dispatch } from "./dispatch.ts";
import { type SyscallName, syscallNames, type syscalls } from "./table.ts";

type WithoutProcess<H> = H extends (process: Process, ...args: infer A) => infer R
  ? (...args: A) => R
  : never;

/**
 * The kernel as one process sees it: the table, bound to the process. Every call goes through
 * `dispatch`; a call of a process that has ended, or called exec, fails with ProcessEnded.
 */
export type Sys = {
  readonly [N in SyscallName]: WithoutProcess<(typeof syscalls)[N]["handler"]>;
};

class BoundSys {
  readonly process: Process;
  readonly generation: number;

  constructor(process: Process) {
    this.process = process;
    this.generation = process.generation;
  }
}

/** Binds the table to the process as it is now; after an exec it must be bound anew. */
export function bindSys(process: Process): Sys {
  const bound = new BoundSys(process);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `methods` has a function for every row of the table
  return Object.create(methods, { bound: { value: bound } }) as Sys;
}

interface Bound {
  readonly bound: BoundSys;
}

const methods: object = Object.fromEntries(
  syscallNames.map((name) => [
    name,
    function call(this: Bound, ...args: unknown[]): Promise<unknown> {
      return dispatch(this.bound.process, this.bound.generation, name, args);
    },
  ]),
);
