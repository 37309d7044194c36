import { codedError } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { SocketPipe } from "./pipe-server.ts";
import type { WriteWrap } from "./stream-wrap.ts";

const values = staticsOf("pipe_wrap");

export class Pipe extends SocketPipe {
  readonly #isIpc: boolean;
  /** What came with the last message; always nothing, see `write`. */
  pendingHandle: unknown = null;

  constructor(type: number) {
    super(type === values["constants"].SERVER ? "PIPESERVERWRAP" : "PIPEWRAP");
    this.#isIpc = type === values["constants"].IPC;
  }

  open(fd: number): number {
    this.fd = fd;
    // As Node on Linux: what goes to stdout and stderr has been written when write() returns.
    if (fd <= 2) this.setBlocking(true);
    return 0;
  }

  protected override makeClient(): Pipe {
    return new Pipe(values["constants"].SOCKET);
  }

  /** Deviation: no handle can be sent to another process, as the kernel has no SCM_RIGHTS. */
  protected override write(
    req: WriteWrap | null,
    data: Uint8Array,
    sent?: unknown,
  ): number | WriteWrap {
    if (this.#isIpc && typeof sent === "object" && sent !== null)
      throw codedError(
        Error,
        "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
        "Sending a handle to another process is not supported in a VM",
      );
    return super.write(req, data);
  }
}

class PipeConnectWrap extends AsyncWrap {
  constructor() {
    super("PIPECONNECTWRAP");
  }
}

export const pipeWrap = (): Binding => ({ ...values, Pipe, PipeConnectWrap });
