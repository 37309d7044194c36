/** How a guest traces: it gives a pipe of its own to a child it starts, and reads records from the other end. */
import { KernelError } from "../abi/kernel-error.ts";
import type { OpenFile } from "../fd/open-file.ts";
import { PipeEnd } from "../pipe/pipe-end.ts";
import type { Process } from "../process/process.ts";
import { type TraceOutput, Tracer } from "./tracer.ts";

export interface TraceRequest {
  /** The pipe's end for writing. Its reader sees the end of file when the last traced process has ended. */
  readonly fd: number;
  readonly follows: boolean;
  readonly calls?: readonly string[];
  readonly shownBytes: number;
}

/** EBADF, or EINVAL for what is not a pipe to write to. */
export function requireTracePipe(parent: Process, { fd }: TraceRequest): OpenFile {
  const file = parent.fds.get(fd);
  if (!(file instanceof PipeEnd) || !file.isWritable) throw new KernelError("EINVAL", String(fd));
  return file;
}

/** Called before the child makes its first call. */
export function startTrace(parent: Process, child: Process, request: TraceRequest): void {
  const { follows, calls, shownBytes } = request;
  const output = new PipeOutput(requireTracePipe(parent, request), parent.kernel.init);
  const tracer = new Tracer(output, {
    follows,
    calls: calls === undefined ? undefined : new Set(calls),
    shownBytes,
    uid: parent.credentials.euid,
  });
  tracer.attach(child);
  // Somebody else's process is not traced: the reader sees the end at once.
  tracer.stopIfUnused();
}

class PipeOutput implements TraceOutput {
  readonly #file: OpenFile;
  readonly #writer: Process;

  constructor(file: OpenFile, writer: Process) {
    this.#file = file;
    this.#writer = writer;
    file.retain();
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; )
      at += await this.#file.write(bytes.subarray(at), this.#writer);
  }

  close(): void {
    this.#file.drop();
  }
}
