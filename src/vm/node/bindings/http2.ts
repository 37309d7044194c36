// HTTP/2 is not there yet: what loads it works, a session says so.
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const values = staticsOf("http2");
const settings: Uint32Array = values["settingsBuffer"] ?? new Uint32Array(0);
/** Table size, push, window, frame, streams, header list, CONNECT protocol, and which of them are set. */
const defaults = [4096, 1, 65_535, 16_384, 0xffff_ffff, 65_535, 0];
const SET_AT = defaults.length;
const SET_BITS = 0b111_1111;

function unsupported(): Error {
  const error: Error & { code?: string } = new Error(
    "This part of Node.js is not supported in a VM: HTTP/2",
  );
  error.code = "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM";
  return error;
}

class Http2Session {
  constructor() {
    throw unsupported();
  }
}

class Http2Stream {
  constructor() {
    throw unsupported();
  }
}

/** What only HTTP/2 pipes with. */
class StreamPipe {
  constructor() {
    throw unsupported();
  }
}

export const streamPipe = (): Binding => ({ StreamPipe });

export const http2 = (): Binding => ({
  ...values,
  Http2Session,
  Http2Stream,
  setCallbackFunctions: () => undefined,
  refreshDefaultSettings(): void {
    settings.set(defaults);
    settings[SET_AT] = SET_BITS;
  },
  packSettings(): never {
    throw unsupported();
  },
  nghttp2ErrorString: (code: number) => `nghttp2 error ${code}`,
});
