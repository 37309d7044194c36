// TLS is not there yet: what loads it works, what would encrypt a connection says so.
import type { Binding } from "./base.ts";

class TLSWrap {
  constructor() {
    throw unsupported();
  }
}

function unsupported(): Error {
  const error: Error & { code?: string } = new Error(
    "This part of Node.js is not supported in a VM: TLS connections",
  );
  error.code = "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM";
  return error;
}

export const tlsWrap = (): Binding => ({
  HAVE_SSL_TRACE: 1,
  TLSWrap,
  wrap(): never {
    throw unsupported();
  },
});
