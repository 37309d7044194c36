// Keys: the handle to one that the kernel keeps, and the native classes under KeyObject and CryptoKey.
import { codedError } from "../../errors.ts";
import { adopt, adopting, ask, askMethod, classes, defineMethod, toWire } from "./remote.ts";

export class KeyObjectHandle {
  constructor(how?: unknown, id?: number) {
    if (how === adopting) adopt(this, id as number);
  }

  init(...args: unknown[]): void {
    const [id] = ask("cryptoNew", "KeyObjectHandle", ...args.map(toWire));
    adopt(this, id);
  }

  /** Fills the object that it is given. */
  exportJwk(into: object, isWithUsages: boolean): object {
    return Object.assign(into, askMethod(this, "exportJwk", {}, isWithUsages));
  }

  keyDetail(into: object): object {
    return Object.assign(into, askMethod(this, "keyDetail", {}));
  }
}
const remote =
  "getKeyType getSymmetricKeySize getAsymmetricKeyType checkEcKeyData export rawPublicKey rawPrivateKey rawSeed";
for (const name of `${remote} exportECPublicRaw exportECPrivateRaw equals`.split(" "))
  defineMethod(KeyObjectHandle.prototype, name);
classes["KeyObjectHandle"] = KeyObjectHandle;

const keyHandles = new WeakMap<object, KeyObjectHandle>();

class NativeKeyObject {
  constructor(handle: KeyObjectHandle) {
    keyHandles.set(this, handle);
  }
}

export function createNativeKeyObjectClass(make: (base: unknown) => unknown): unknown {
  return make(NativeKeyObject);
}

export function isKeyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && keyHandles.has(value);
}

export function getKeyObjectSlots(value: object): unknown[] {
  const handle: any = keyHandles.get(value);
  if (handle === undefined) throw invalidThis("KeyObject");
  return [handle.getKeyType(), handle];
}

type CryptoKeySlots = [type: number, ...rest: unknown[]];
const cryptoKeys = new WeakMap<object, CryptoKeySlots>();
let InternalCryptoKey: any;

class NativeCryptoKey {
  constructor(
    handle: any,
    algorithm: unknown,
    usages: unknown,
    isExtractable: unknown,
    ...rest: unknown[]
  ) {
    const type = handle.getKeyType();
    cryptoKeys.set(this, [type, isExtractable, algorithm, usages, handle, rest[0], rest[1]]);
  }
}

export function createCryptoKeyClass(make: (base: unknown) => any[]): unknown {
  const made = make(NativeCryptoKey);
  InternalCryptoKey = made[1];
  return made;
}

export function isCryptoKey(value: unknown): boolean {
  return typeof value === "object" && value !== null && cryptoKeys.has(value);
}

export function getCryptoKeySlots(value: object): unknown[] {
  const slots = cryptoKeys.get(value);
  if (slots === undefined) throw invalidThis("CryptoKey");
  return [...slots];
}

/** A key that a job of Web Crypto's has made. */
export function makeCryptoKey(...args: unknown[]): object {
  return new InternalCryptoKey(...args);
}

function invalidThis(type: string): Error {
  const message = `Value of "this" must be of type ${type}`;
  return codedError(TypeError as ErrorConstructor, "ERR_INVALID_THIS", message);
}
