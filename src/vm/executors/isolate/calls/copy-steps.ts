// What the copying of a tree and of its links share.
import { isKernelError, type Stat, type Sys } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";

export interface CopyOptions {
  readonly force: boolean;
  readonly dereference: boolean;
  readonly errorOnExist: boolean;
  readonly verbatimSymlinks: boolean;
  readonly preserveTimestamps: boolean;
  /** For the asynchronous form: it gives directories their mode, and refuses sockets and the like. */
  readonly isJob: boolean;
  readonly mode: number;
}

/** Why a copy stopped: an errno of a path, also with its call, one of Node's own errors, or a file that is none. */
export class CopyStopped extends Error {
  readonly why: Packed;
  constructor(why: Packed) {
    super("copy stopped");
    this.why = why;
  }
}

/** Turns an errno into the end of the copy, at this path. */
export async function atPath<Value>(name: string, running: Promise<Value>): Promise<Value> {
  try {
    return await running;
  } catch (error) {
    if (isKernelError(error)) throw new CopyStopped(["errno", error.errno, name]);
    throw error;
  }
}

/** The same for a call of libuv's, which its error names. */
export async function inCall(syscall: string, name: string, running: Promise<void>): Promise<void> {
  try {
    await running;
  } catch (error) {
    if (isKernelError(error)) throw new CopyStopped(["libuv", error.errno, name, syscall]);
    throw error;
  }
}

export async function statIfThere(sys: Sys, name: string): Promise<Stat | undefined> {
  try {
    return await sys.stat(name);
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}
