import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { StreamHandle } from "./stream-wrap.ts";

export class Pipe extends StreamHandle {
  constructor(_type: number) {
    super("PIPEWRAP");
  }

  open(fd: number): number {
    this.fd = fd;
    return 0;
  }
}

class PipeConnectWrap extends AsyncWrap {
  constructor() {
    super("PIPECONNECTWRAP");
  }
}

export const pipeWrap = (): Binding => ({ ...staticsOf("pipe_wrap"), Pipe, PipeConnectWrap });
