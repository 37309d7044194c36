import { encodeText, isKernelError, type Sys } from "../../kernel/index.ts";

/** Writes every byte; a caught signal does not cut it. */
export async function writeAll(sys: Sys, fd: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += await sys.write(fd, bytes.subarray(done));
    } catch (error) {
      if (!isKernelError(error, "EINTR")) throw error;
    }
  }
}

export async function writeText(sys: Sys, fd: number, text: string): Promise<void> {
  await writeAll(sys, fd, encodeText(text));
}
