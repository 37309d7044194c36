import { expect } from "vitest";
import { signals } from "../../../src/kernel/abi/signals.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { expectErrno } from "../../support/syscall-coverage.ts";
import type { TestKernel } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";

/** Expects EINTR of a call that waits until this process sends itself a signal that it catches. */
export async function interrupted(sys: Sys, call: (sys: Sys) => Promise<unknown>): Promise<void> {
  await sys.sigaction(signals.SIGUSR1, "catch");
  const waiting = call(sys);
  expect(await outcome(waiting)).toBe("waits");
  await sys.kill(await sys.getpid(), signals.SIGUSR1);
  await expectErrno(waiting, "EINTR");
  expect(await sys.sigtimedwait([signals.SIGUSR1], 0)).toBe(signals.SIGUSR1);
}

/** A read-only file system with `file` ("kept"), `dir/inner` and `link`, open to all. */
export async function mountReadOnly(test: TestKernel, path: string): Promise<void> {
  const fileSystem = new MemoryFileSystem({ now: () => test.host.now() });
  fileSystem.seed([
    { path: "/", kind: "directory", mode: 0o777 },
    { path: "/file", kind: "file", mode: 0o666, content: new TextEncoder().encode("kept") },
    { path: "/dir/inner", kind: "directory", mode: 0o777 },
    { path: "/empty", kind: "directory", mode: 0o777 },
    { path: "/link", kind: "symlink", target: "file" },
  ]);
  await test.sys.mkdir(path, 0o777);
  await test.mount(path, fileSystem, true);
}
