import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { errorWords, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";

const CHUNK_BYTES = 65_536;

/** Feeds all of a fd to a checksum; answers how many bytes there were. */
export async function feed(
  sys: Sys,
  fd: number,
  sum: { update(bytes: Uint8Array): void },
): Promise<number> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let total = 0;
  for (;;) {
    const count = await sys.read(fd, buffer);
    if (count === 0) return total;
    sum.update(buffer.subarray(0, count));
    total += count;
  }
}

/**
 * Feeds a file. Answers its size; "missing" where it is not there and that is `mayMiss`; undefined
 * where it cannot be read, which is said.
 */
export async function feedFile(
  run: Run,
  name: string,
  sum: { update(bytes: Uint8Array): void },
  mayMiss = false,
): Promise<number | "missing" | undefined> {
  let size = 0;
  try {
    await run.withInput(name, async (fd) => {
      size = await feed(run.sys, fd, sum);
    });
    return size;
  } catch (error) {
    if (!isKernelError(error)) throw error;
    if (mayMiss && error.errno === "ENOENT") return "missing";
    await run.out.flush();
    await run.fail(`${quoteFile(name)}: ${errorWords(error)}`);
    return undefined;
  }
}

export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
