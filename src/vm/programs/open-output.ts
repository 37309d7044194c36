import { isKernelError, O_CLOEXEC, O_CREAT, O_TRUNC, O_WRONLY } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { errorWords, type Run } from "./program.ts";

/** Opens a file for a program's output, emptied. Fails with a UsageError that starts with `what`. */
export async function openOutput(run: Run, path: string, what: string): Promise<number> {
  try {
    return await run.sys.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${what}: ${errorWords(error)}`, { hasHint: false });
  }
}
