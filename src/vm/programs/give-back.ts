import { isKernelError, SEEK_CUR, type Sys } from "../../kernel/index.ts";

/** Leaves what was read too far to the next reader of a file; elsewhere it is gone. */
export async function giveBack(sys: Sys, fd: number, count: number): Promise<void> {
  if (count === 0) return;
  try {
    await sys.seek(fd, -count, SEEK_CUR);
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}
