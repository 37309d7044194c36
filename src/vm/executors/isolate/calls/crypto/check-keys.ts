// Keys among the arguments: given as data with a format, or kept, and how they are written.
import { callableOf } from "../../node-internals.ts";
import { checkEncryptedKey } from "./check-encrypted-keys.ts";
import type { Kept } from "./kept-objects.ts";
import { isBytes, isInteger, isKept, isOf, refuse } from "./kinds.ts";

/** Numbers of Node's enums: kKeyType…, kKeyFormat…, kKeyEncoding…. A store would be a file of the host's. */
export const keyType = { secret: 0, public: 1, private: 2 } as const;
const format = { der: 0, pem: 1, jwk: 2, rawPublic: 3, rawSeed: 5 } as const;
const encoding = { pkcs1: 0, pkcs8: 1, spki: 2, sec1: 3 } as const;

/** data, format, type, passphrase, namedCurve, as lib/internal/crypto/keys.js prepares them. */
export function checkKeyInput(values: readonly unknown[], what: string): void {
  const [data, given, type, passphrase, curve] = values;
  if (!isOf("bn", passphrase) || !isOf("sn", curve)) refuse(what);
  if (isKept(data, "KeyObjectHandle")) {
    if (typeOf(data) === keyType.secret) refuse(what);
    return;
  }
  if (!isInteger(given, format.der, format.rawSeed)) refuse(what);
  if (given === format.jwk) {
    if (!isOf("j", data)) refuse(what);
    return;
  }
  if (!isBytes(data)) refuse(what);
  if (given < format.jwk && isBytes(passphrase)) {
    const isText = given === format.pem;
    if (isText || type === encoding.pkcs8) checkEncryptedKey(data, isText);
  }
  if (given >= format.rawPublic) {
    if (!isOf("s", type)) refuse(what);
  } else if (given === format.der || !isOf("n", type)) {
    if (!isInteger(type, encoding.pkcs1, encoding.sec1)) refuse(what);
  }
}

/** The same for a private key. */
export function checkPrivateInput(values: readonly unknown[], what: string): void {
  const [data, given] = values;
  checkKeyInput(values, what);
  if (isKept(data, "KeyObjectHandle")) {
    if (typeOf(data) !== keyType.private) refuse(what);
  } else if (given === format.rawPublic) refuse(what);
}

/** A key that is initialised: its type, then data. */
export function checkKeyInit(values: readonly unknown[], what: string): void {
  const [type, data, given] = values;
  if (!isInteger(type, keyType.secret, keyType.private)) refuse(what);
  if (type !== keyType.secret) {
    if (values.length !== 6) refuse(what);
    if (
      isKept(data, "KeyObjectHandle") &&
      (type !== keyType.public || typeOf(data) !== keyType.private)
    )
      refuse(what);
    const check = type === keyType.private ? checkPrivateInput : checkKeyInput;
    return check(values.slice(1), what);
  }
  const isJwk = given === format.jwk;
  if (values.length !== (isJwk ? 5 : 2) || !isOf(isJwk ? "j" : "b", data)) refuse(what);
}

export function typeOf(kept: Kept): unknown {
  return Reflect.apply(callableOf(kept.object, "getKeyType"), kept.object, []);
}

function algorithmOf(kept: Kept): unknown {
  return Reflect.apply(callableOf(kept.object, "getAsymmetricKeyType"), kept.object, []);
}

/** format, type, cipher, passphrase of a key that is written. */
export function checkKeyExport(kept: Kept, values: readonly unknown[]): void {
  const type = typeOf(kept);
  if (type === keyType.secret) {
    if (values.length > 0) refuse("export");
    return;
  }
  const algorithm = algorithmOf(kept);
  if (type === keyType.public) checkPublicEncoding(values, algorithm);
  else checkPrivateEncoding(values, algorithm);
}

function checkPublicEncoding([given, type]: readonly unknown[], algorithm: unknown): void {
  if (!isInteger(given, format.der, format.pem)) refuse("export");
  if (type !== encoding.spki && !(type === encoding.pkcs1 && algorithm === "rsa")) refuse("export");
}

function checkPrivateEncoding(values: readonly unknown[], algorithm: unknown): void {
  const [given, type, cipher, passphrase] = values;
  if (!isInteger(given, format.der, format.pem)) refuse("export");
  const isOwn =
    (type === encoding.pkcs1 && algorithm === "rsa") ||
    (type === encoding.sec1 && algorithm === "ec");
  if (type !== encoding.pkcs8 && !isOwn) refuse("export");
  checkPassphrase(cipher, passphrase);
  if (isOf("s", cipher) && given === format.der && type !== encoding.pkcs8) refuse("export");
}

/** How a pair of keys that is generated is written: the last six arguments of its job. */
export function checkPairEncoding(values: readonly unknown[], algorithm: string): void {
  const [publicFormat, publicType, ...rest] = values;
  if (values.length !== 6) refuse("generate");
  if (isWritten(publicFormat, publicType)) checkPublicEncoding(values, algorithm);
  if (isWritten(rest[0], rest[1])) checkPrivateEncoding(rest, algorithm);
  else checkPassphrase(rest[2], rest[3]);
}

function checkPassphrase(cipher: unknown, passphrase: unknown): void {
  if (!isOf("sn", cipher) || !isOf(isOf("s", cipher) ? "b" : "n", passphrase)) refuse("passphrase");
}

/** Not given: a key object. JWK and raw formats have no encoding to choose. */
function isWritten(given: unknown, type: unknown): boolean {
  if (given === undefined) {
    if (type !== undefined) refuse("generate");
    return false;
  }
  if (!isInteger(given, format.der, format.rawSeed)) refuse("generate");
  if (given < format.jwk) return true;
  if (!isOf(given === format.jwk ? "n" : "in", type)) refuse("generate");
  return false;
}
