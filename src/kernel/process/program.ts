import type { Sys } from "../syscalls/sys.ts";

/**
 * TypeScript code run as a process: it does everything through `sys` and resolves to its exit code.
 *
 * argv[0] is the name it was called by. A KernelError that it lets out ends it with status 1 after
 * `name: message` on fd 2. When the process is killed, the call it waits in never resolves for it:
 * it fails with `ProcessEnded`, which a program lets pass.
 */
export type Program = (sys: Sys, argv: readonly string[]) => Promise<number>;
