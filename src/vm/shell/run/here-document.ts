import { O_CLOEXEC, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } from "../../../kernel/index.ts";
import type { Shell } from "../state/shell.ts";

/** What fits into a pipe without a reader, see pipe(7). */
const PIPE_BYTES = 65_536;

/** A fd to read the text from: a pipe, or an unlinked file where a pipe is too small. */
export async function openHereDocument(shell: Shell, bytes: Uint8Array): Promise<number> {
  const { sys } = shell;
  if (bytes.length > PIPE_BYTES) return openFile(shell, bytes);
  const [readEnd, writeEnd] = await sys.pipe(O_CLOEXEC);
  try {
    if (bytes.length > 0) await sys.write(writeEnd, bytes);
  } finally {
    await sys.close(writeEnd);
  }
  return readEnd;
}

async function openFile(shell: Shell, bytes: Uint8Array): Promise<number> {
  const { sys } = shell;
  const random = new Uint8Array(8);
  await sys.getrandom(random);
  const path = `/tmp/sh-here.${[...random].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const writer = await sys.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600);
  try {
    let done = 0;
    while (done < bytes.length) done += await sys.write(writer, bytes.subarray(done));
    return await sys.open(path, O_RDONLY | O_CLOEXEC);
  } finally {
    await sys.close(writer);
    await sys.unlink(path);
  }
}
