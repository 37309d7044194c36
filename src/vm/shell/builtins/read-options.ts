/** Option values that `read` and `mapfile` check in the same words. */
import { isKernelError } from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import type { Shell } from "../state/shell.ts";

/** What is wrong with the fd of `-u`; undefined where nothing is. */
export async function checkFd(shell: Shell, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) return `${text}: invalid file descriptor specification`;
  try {
    await shell.sys.fcntl(Number(text), { request: "F_GETFD" });
    return undefined;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return `${text}: invalid file descriptor: ${errorWords(error)}`;
  }
}

/** Seconds, with a fraction; undefined where the text is none. */
export function readSeconds(text: string): number | undefined {
  return /^\d*\.?\d*$/.test(text) && /\d/.test(text) ? Number(text) : undefined;
}
