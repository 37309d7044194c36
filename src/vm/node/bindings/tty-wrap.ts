import { call } from "../channel.ts";
import { uvNumber, uvNumberOf } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { StreamHandle } from "./stream-wrap.ts";

const values = staticsOf("tty_wrap");

export class TTY extends StreamHandle {
  constructor(fd: number, context: Record<string, unknown>) {
    super("TTYWRAP");
    this.fd = fd;
    this.setBlocking(true);
    if (call("isTerminal", fd)) return;
    const errno = uvNumber("EINVAL");
    Object.assign(context, {
      errno,
      code: "EINVAL",
      message: "invalid argument",
      syscall: "uv_tty_init",
    });
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

  setRawMode(mode: boolean | number): number {
    try {
      call("setRawMode", this.fd, mode !== false && mode !== values["UV_TTY_MODE_NORMAL"]);
      return 0;
    } catch (error) {
      return uvNumberOf(error);
    }
  }
}

export const ttyWrap = (): Binding => ({
  ...values,
  TTY,
  isTTY: (fd: number) => call("isTerminal", fd),
});
