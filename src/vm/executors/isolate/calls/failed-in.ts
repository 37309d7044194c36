import { isKernelError, KernelError } from "../../../../kernel/index.ts";

/** Names the system call that failed, for calls that make several: it becomes the error's subject. */
export async function failedIn<Value>(syscall: string, running: Promise<Value>): Promise<Value> {
  try {
    return await running;
  } catch (error) {
    if (isKernelError(error)) throw new KernelError(error.errno, syscall, error.reason);
    throw error;
  }
}
