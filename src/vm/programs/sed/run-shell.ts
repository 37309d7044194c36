import { decodeText, type Sys } from "../../../kernel/index.ts";
import { ByteBuilder } from "./pattern-space.ts";

const CHUNK_BYTES = 65_536;

/** What a command prints when /bin/sh runs it. Fails with a MemoryLimitError. */
export async function runShell(sys: Sys, command: Uint8Array): Promise<Uint8Array> {
  const [readEnd, writeEnd] = await sys.pipe();
  const made = new ByteBuilder();
  try {
    const pid = await sys.spawn({
      path: "/bin/sh",
      argv: ["sh", "-c", decodeText(command)],
      env: await sys.environ(),
      fds: [
        { fd: 1, from: writeEnd },
        { fd: readEnd, close: true },
        { fd: writeEnd, close: true },
      ],
    });
    await sys.close(writeEnd);
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let count = await sys.read(readEnd, chunk); count > 0; ) {
      made.add(chunk, 0, count);
      count = await sys.read(readEnd, chunk);
    }
    await sys.wait({ pid });
  } finally {
    await sys.close(readEnd);
  }
  return made.bytes.subarray(0, made.length);
}
