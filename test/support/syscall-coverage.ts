/**
 * What the tests of the system calls have shown, to be held against the table.
 *
 * A call's success counts in the tests that are about it (`describeCall`), an errno where a test
 * expects it (`expectErrno`). Both are facts of the run: a test that does not run shows nothing.
 */
import { beforeEach, describe, expect } from "vitest";
import type { Errno } from "../../src/kernel/abi/errno.ts";
import { isKernelError, type KernelError } from "../../src/kernel/abi/kernel-error.ts";
import { ProcessEnded } from "../../src/kernel/process/process-ended.ts";
import type { Sys } from "../../src/kernel/syscalls/sys.ts";
import { type SyscallName, syscallNames } from "../../src/kernel/syscalls/table.ts";
import { TestKernel, type TestKernelOptions } from "./test-kernel.ts";

const succeeded = new Set<string>();
const failed = new Set<string>();
const callOf = new WeakMap<object, SyscallName>();
let subject: SyscallName | undefined;

/** A kernel whose calls are observed. */
export function bootObserved(options: TestKernelOptions = {}): Promise<TestKernel> {
  return TestKernel.boot({ ...options, observe });
}

/** Tests about one call. */
export function describeCall(call: SyscallName, body: () => void): void {
  describe(call, () => {
    beforeEach(() => {
      subject = call;
    });
    body();
  });
}

/** Passes when the call fails with this errno; answers the error. */
export async function expectErrno(answer: Promise<unknown>, errno: Errno): Promise<KernelError> {
  const error = await answer.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  if (!isKernelError(error)) {
    if (error instanceof Error) throw error;
    expect(error, `expected ${errno}`).toBe(errno);
    throw new Error("not reached");
  }
  expect(error.errno, error.message).toBe(errno);
  const call = callOf.get(answer);
  if (call !== undefined) failed.add(`${call} ${errno}`);
  return error;
}

/** What the tests so far have shown: `open`, `open ENOENT`. */
export function shown(): ReadonlySet<string> {
  return new Set([...succeeded, ...failed]);
}

function observe(sys: Sys): Sys {
  const known = new Set<string | symbol>(syscallNames);
  return new Proxy(sys, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver);
      if (!known.has(name) || typeof value !== "function") return value;
      return (...args: unknown[]): unknown =>
        note(name as SyscallName, Reflect.apply(value, target, args) as Promise<unknown>);
    },
  });
}

function note(call: SyscallName, answer: Promise<unknown>): Promise<unknown> {
  const about = subject;
  const succeeds = (): void => {
    if (about === call) succeeded.add(call);
  };
  answer.then(succeeds, (error: unknown) => {
    // These two succeed by not coming back.
    if (error instanceof ProcessEnded && (call === "exit" || call === "exec")) succeeds();
  });
  callOf.set(answer, call);
  return answer;
}
