import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a program that looks at a sandbox's files prints; undefined where that takes too long, or is too much. */
export async function runCounter(
  [command = "", ...argv]: readonly string[],
  limitMs: number,
): Promise<string | undefined> {
  return await promisify(execFile)(command, argv, { timeout: limitMs }).then(
    (done) => done.stdout,
    // Files that go while it looks make it fail; it has printed what there is all the same.
    (error: unknown) => (isCutOff(error) ? undefined : hasOutput(error) ? error.stdout : ""),
  );
}

function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isTooLong = "code" in error && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
  return isTooLong || ("killed" in error && error.killed === true);
}

function hasOutput(error: unknown): error is { readonly stdout: string } {
  return error instanceof Error && "stdout" in error && typeof error.stdout === "string";
}
