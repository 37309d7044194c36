import { call } from "../channel.ts";
import { uvNumberOf } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { StreamHandle } from "./stream-wrap.ts";

class TTY extends StreamHandle {
  constructor(fd: number, context: { code?: string }) {
    super("TTYWRAP");
    this.fd = fd;
    this.setBlocking(true);
    if (!call("isTerminal", fd)) context.code = "EINVAL";
  }

  getWindowSize(size: number[]): number {
    try {
      const { columns, rows } = call("windowSize", this.fd);
      size[0] = columns;
      size[1] = rows;
      return 0;
    } catch (error) {
      return uvNumberOf(error);
    }
  }

  setRawMode(mode: number): number {
    try {
      call("setRawMode", this.fd, mode);
      return 0;
    } catch (error) {
      return uvNumberOf(error);
    }
  }
}

export const ttyWrap = (): Binding => ({
  ...staticsOf("tty_wrap"),
  TTY,
  isTTY: (fd: number) => call("isTerminal", fd),
});
