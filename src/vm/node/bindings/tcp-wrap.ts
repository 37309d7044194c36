import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { StreamHandle } from "./stream-wrap.ts";

class TCP extends StreamHandle {
  constructor(_type: number) {
    super("TCPWRAP");
  }
}

class TCPConnectWrap extends AsyncWrap {
  constructor() {
    super("TCPCONNECTWRAP");
  }
}

export const tcpWrap = (): Binding => ({ ...staticsOf("tcp_wrap"), TCP, TCPConnectWrap });
