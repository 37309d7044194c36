// The native class under X509Certificate.
import { codedError } from "../../errors.ts";
import { adopt, adopting, ask, classes, defineMethod, toWire } from "./remote.ts";

const all = new WeakSet<object>();

class NativeX509Certificate {
  constructor(source: unknown, id?: number) {
    all.add(this);
    if (source === adopting) {
      adopt(this, id as number);
      return;
    }
    const [made] = ask("cryptoNew", "X509Certificate", toWire(source));
    adopt(this, made);
  }
}
const names = `checkCA checkEmail checkHost checkIP checkIssued checkPrivateKey fingerprint fingerprint256
  fingerprint512 getIssuerCert infoAccess issuer keyUsage pem publicKey raw serialNumber signatureAlgorithm
  signatureAlgorithmOid subject subjectAltName toLegacy validFrom validFromDate validTo validToDate verify`;
for (const name of names.split(/\s+/u)) defineMethod(NativeX509Certificate.prototype, name);
classes["X509Certificate"] = NativeX509Certificate;

export function createX509CertificateClass(make: (base: unknown) => unknown): unknown {
  return make(NativeX509Certificate);
}

/** Whether this is a certificate, whatever prototype it has. */
export function isX509Certificate(value: unknown): boolean {
  return typeof value === "object" && value !== null && all.has(value);
}

export function parseX509(source: unknown): object {
  if (!ArrayBuffer.isView(source))
    throw codedError(TypeError as ErrorConstructor, "ERR_INVALID_ARG_TYPE", "Invalid argument");
  return new NativeX509Certificate(source);
}
