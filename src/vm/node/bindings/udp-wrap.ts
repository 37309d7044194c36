import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { Handle } from "./handle.ts";

class UDP extends Handle {
  constructor() {
    super("UDPWRAP");
  }
}

class SendWrap extends AsyncWrap {
  constructor() {
    super("UDPSENDWRAP");
  }
}

export const udpWrap = (): Binding => ({ ...staticsOf("udp_wrap"), UDP, SendWrap });
