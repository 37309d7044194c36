// TLS is not there yet: what loads it and makes its sockets works, what would encrypt a connection says so.
import { uvNumber } from "../errors.ts";
import { AsyncWrap } from "./async-wrap.ts";
import type { Binding } from "./base.ts";
import { soon } from "./handle.ts";
import { markWritten, StreamHandle, type WriteWrap } from "./stream-wrap.ts";

class TLSWrap extends StreamHandle {
  declare onerror?: (error: Error) => void;
  readonly #waiting: WriteWrap[] = [];

  constructor() {
    super("TLSWRAP", false);
  }

  /** The handshake. */
  start(): void {
    soon(() => this.onerror?.(unsupported()));
  }

  override readStart(): number {
    return 0;
  }

  /** Nothing is sent before the handshake's end. */
  protected override write(req: WriteWrap | null, data: Uint8Array): number | WriteWrap {
    return markWritten(req, data.length, (wrap) => {
      this.#waiting.push(wrap);
      return 0;
    });
  }

  destroySSL(): void {
    for (const req of this.#waiting.splice(0)) {
      soon(() =>
        AsyncWrap.within(req, () => req.oncomplete?.(uvNumber("ECANCELED"), this, undefined)),
      );
    }
  }

  hasPeerCertificate(): boolean {
    return false;
  }

  getALPNNegotiatedProtocol(): boolean {
    return false;
  }

  isSessionReused(): boolean {
    return false;
  }

  setMaxSendFragment(): boolean {
    return true;
  }

  renegotiate(): never {
    throw unsupported();
  }

  exportKeyingMaterial(): never {
    throw unsupported();
  }
}

/** Settings of a handshake that does not come, and questions about one that was not there. */
const nothing = [
  ...["setVerifyMode", "setServername", "setALPNProtocols", "setSession", "setKeyCert"],
  ...["setOCSPResponse", "setPskIdentityHint", "enableTrace", "enableKeylogCallback"],
  ...["enableSessionCallbacks", "enableCertCb", "enableALPNCb", "enablePskCallback", "requestOCSP"],
  ...["writesIssuedByPrevListenerDone", "receive", "certCbDone", "clientHelloDone", "loadSession"],
  ...["getServername", "getSession", "getTLSTicket", "getPeerCertificate", "getCertificate"],
  ...["getPeerX509Certificate", "getX509Certificate", "getCipher", "getProtocol", "getFinished"],
  ...["getPeerFinished", "getEphemeralKeyInfo", "getSharedSigalgs", "verifyError"],
];
doNothing(TLSWrap.prototype, nothing);

/** What stands for OpenSSL's context: settings are taken, what proves who one is is refused. */
export class SecureContext {
  setCert(): never {
    throw unsupported();
  }

  setKey(): never {
    throw unsupported();
  }

  loadPKCS12(): never {
    throw unsupported();
  }
}
const settings = [
  ...["init", "addCACert", "addCRL", "addRootCerts", "setCipherSuites", "setCiphers", "setSigalgs"],
  ...["setECDHCurve", "setDHParam", "setMaxProto", "setMinProto", "getMaxProto", "getMinProto"],
  ...["setOptions", "setSessionIdContext", "setSessionTimeout", "setTicketKeys", "getTicketKeys"],
  ...["enableTicketKeyCallback", "setAllowPartialTrustChain", "close"],
  ...[
    "setCertificateCompression",
    "setEngineKey",
    "setClientCertEngine",
    "getCertificate",
    "getIssuer",
  ],
];
doNothing(SecureContext.prototype, settings);

function doNothing(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const value = (): undefined => undefined;
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
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
  wrap: () => new TLSWrap(),
});
