// internalBinding('crypto'): Node's library on this side, the engine of the kernel's own Node on the other.
import { codedError } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { createX509CertificateClass, isX509Certificate, parseX509 } from "./crypto/certificates.ts";
import { CipherBase, Sign, Verify } from "./crypto/ciphers.ts";
import { Hash, Hmac, Mac, oneShotDigest } from "./crypto/digests.ts";
import { jobClasses } from "./crypto/jobs.ts";
import {
  createCryptoKeyClass,
  createNativeKeyObjectClass,
  getCryptoKeySlots,
  getKeyObjectSlots,
  isCryptoKey,
  isKeyObject,
  KeyObjectHandle,
} from "./crypto/keys.ts";
import { remoteClass, remoteFunction } from "./crypto/remote.ts";
import { SecureContext } from "./tls-wrap.ts";

const functions = `getFipsCrypto getFipsCryptoGeneration getOpenSSLSecLevelCrypto testFipsCrypto getHashes getCiphers
  getSSLCiphers getCurves getMacs getCachedAliases getCachedMacAliases getPqcKeyTypes getBundledRootCertificates
  secureHeapUsed getCipherInfo publicEncrypt publicDecrypt privateEncrypt privateDecrypt timingSafeEqual
  ECDHConvertKey certVerifySpkac certExportPublicKey certExportChallenge parsePKCS12`;
const exchange =
  "generateKeys computeSecret getPublicKey getPrivateKey setPublicKey setPrivateKey".split(" ");

export const crypto = (): Binding => ({
  ...staticsOf("crypto"),
  ...Object.fromEntries(functions.split(/\s+/u).map((name) => [name, remoteFunction(name)])),
  ...jobClasses(),
  createCryptoKeyClass,
  createNativeKeyObjectClass,
  getCryptoKeySlots,
  getKeyObjectSlots,
  isCryptoKey,
  isKeyObject,
  KeyObjectHandle,
  createX509CertificateClass,
  isX509Certificate,
  parseX509,
  Hash,
  Hmac,
  Mac,
  oneShotDigest,
  Sign,
  Verify,
  CipherBase,
  DiffieHellman: remoteClass("DiffieHellman", [...exchange, "getPrime", "getGenerator"]),
  DiffieHellmanGroup: remoteClass("DiffieHellmanGroup", [...exchange, "getPrime", "getGenerator"]),
  ECDH: remoteClass("ECDH", exchange),
  secureBuffer: (length: number) => new Uint8Array(length),
  setupFipsIndicatorChannel: () => undefined,
  setFipsCrypto(isOn: unknown): void {
    if (isOn) unavailable("FIPS mode")();
  },
  setEngine: undefined,
  getSystemCACertificates: () => [],
  getExtraCACertificates: () => [],
  getUserRootCertificates: () => [],
  resetRootCertStore: () => undefined,
  startLoadingCertificatesOffThread: () => undefined,
  getCertificateCompressionAlgorithms: () => [],
  SecureContext,
});

function unavailable(what: string): () => never {
  return () => {
    const message = `${what} is not available in a VM`;
    throw codedError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", message);
  };
}
