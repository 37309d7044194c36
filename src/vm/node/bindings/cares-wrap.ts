import { ipText, parseIp, parseIp6 } from "../ip-text.ts";
import { staticsOf } from "../statics.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { toBuffer } from "./buffer.ts";
import { ChannelWrap } from "./cares/channel.ts";
import { aresWords } from "./cares/errors.ts";
import { getaddrinfo, getnameinfo } from "./cares/lookup.ts";

class GetAddrInfoReqWrap extends AsyncWrap {
  constructor() {
    super("GETADDRINFOREQWRAP");
  }
}

class GetNameInfoReqWrap extends AsyncWrap {
  constructor() {
    super("GETNAMEINFOREQWRAP");
  }
}

class QueryReqWrap extends AsyncWrap {
  constructor() {
    super("QUERYWRAP");
  }
}

export const caresWrap = (): Binding => ({
  ...staticsOf("cares_wrap"),
  getaddrinfo,
  getnameinfo,
  canonicalizeIP(text: string): string | undefined {
    const bytes = parseIp(`${text}`);
    return bytes === undefined ? undefined : ipText(bytes);
  },
  convertIpv6StringToBuffer(text: string): unknown {
    const bytes = parseIp6(`${text}`);
    return bytes === undefined ? undefined : toBuffer(bytes);
  },
  strerror: aresWords,
  GetAddrInfoReqWrap,
  GetNameInfoReqWrap,
  QueryReqWrap,
  ChannelWrap,
});
