// Every call into Node's crypto meets its signature here.
import { KernelError } from "../../../../../kernel/index.ts";
import { callableOf, cryptoBinding } from "../../node-internals.ts";
import { checkCost } from "./check-cost.ts";
import {
  checkKeyExport,
  checkKeyInit,
  checkKeyInput,
  checkPairEncoding,
  checkPrivateInput,
  keyType,
  typeOf,
} from "./check-keys.ts";
import type { Kept } from "./kept-objects.ts";
import { checkKinds, isInteger, isKept, isOf, refuse } from "./kinds.ts";
import { jobMode } from "./run-job.ts";
import * as signatures from "./signatures.ts";

export function checkFunction(name: string, values: readonly unknown[]): void {
  const signature = own(signatures.functions, name);
  checkWith(signature, values, name);
}

export function checkNew(name: string, values: readonly unknown[]): void {
  if (name === "KeyObjectHandle") return checkKeyInit(values, name);
  checkWith(own(signatures.constructors, name), values, name);
  if (name === "Mac" && values.length !== 5 && values.length !== 10) refuse(name);
  if (name === "CipherBase" && values.length !== 5 && values.length !== 7) refuse(name);
  for (const value of values) if (isKept(value, "KeyObjectHandle")) needs(value, keyType.secret);
}

export function checkMethod(kept: Kept, method: string, values: readonly unknown[]): void {
  const { className } = kept;
  if (className === "KeyObjectHandle") return checkKeyMethod(kept, method, values);
  checkWith(own(own(signatures.methods, className), method), values, method);
  if (className !== "X509Certificate" || !isKept(values[0], "KeyObjectHandle")) return;
  needs(values[0], method === "verify" ? keyType.public : keyType.private);
}

function checkKeyMethod(kept: Kept, method: string, values: readonly unknown[]): void {
  const isSecret = typeOf(kept) === keyType.secret;
  const known = isSecret ? signatures.secretKeyMethods : signatures.asymmetricKeyMethods;
  checkWith(own(known, method), values, method);
  if (method === "export") checkKeyExport(kept, values);
  if (privateMethods.has(method)) needs(kept, keyType.private);
  const [other] = values;
  if (isKept(other, "KeyObjectHandle") && typeOf(other) !== typeOf(kept)) refuse(method);
}

const privateMethods = new Set(["rawPrivateKey", "rawSeed", "exportECPrivateRaw"]);

/** Jobs whose key is a secret; those with a pair take what KEY allows. */
const secretJobs = new Set([
  "AESCipherJob",
  "ChaCha20Poly1305CipherJob",
  "HmacJob",
  "KmacJob",
  "HKDFJob",
  "PBKDF2Job",
  "ScryptJob",
  "Argon2Job",
]);

export function checkJob(name: string, mode: number, values: readonly unknown[]): void {
  const ways = own(signatures.jobs, name);
  if (!isInteger(mode, jobMode.async, jobMode.webCrypto)) refuse(name);
  const isWeb = mode === jobMode.webCrypto;
  const hasWeb = ways.some((way) => way.includes("WEB"));
  const fitting = ways.filter((way) => !hasWeb || way.includes("WEB") === isWeb);
  if (!fitting.some((way) => accepts(way, values, name))) refuse(name);
  for (const value of values)
    if (isKept(value, "KeyObjectHandle") && secretJobs.has(name)) needs(value, keyType.secret);
  if (name.endsWith("CipherJob")) checkCipher(name, values);
  checkCost(name, values);
}

function checkCipher(name: string, values: readonly unknown[]): void {
  const [direction, key, , variant, iv] = values;
  if (!isInteger(direction, 0, 1)) refuse(name);
  if (name === "RSACipherJob" && isKept(key, "KeyObjectHandle"))
    needs(key, direction === 0 ? keyType.public : keyType.private);
  // AES-KW alone has no initialisation vector.
  if (name === "AESCipherJob" && !isOf("b", iv) && !isKeyWrap(variant)) refuse(name);
}

function isKeyWrap(variant: unknown): boolean {
  return keyWraps().includes(variant);
}

function keyWraps(): readonly unknown[] {
  const binding = cryptoBinding();
  return ["128", "192", "256"].map((size) => Reflect.get(binding, `kKeyVariantAES_KW_${size}`));
}

function accepts(signature: string, values: readonly unknown[], name: string): boolean {
  try {
    checkWith(signature, values, name);
    return true;
  } catch (error) {
    if (error instanceof KernelError) return false;
    throw error;
  }
}

/** The parts of a signature: kinds one by one, and groups of arguments. */
function checkWith(signature: string, values: readonly unknown[], what: string): void {
  let at = 0;
  const tokens = signature === "" ? [] : signature.split(" ");
  for (const token of tokens) {
    if (token.startsWith("="))
      checkName(token.slice(1).split("|"), values[at] === undefined ? "" : values[at], what);
    else if (token === "NAME") checkName(namedKeys(), values[at], what);
    else if (token === "KEY") checkKeyInput(values.slice(at, at + 5), what);
    else if (token === "PRIVATE") checkPrivateInput(values.slice(at, at + 5), what);
    else if (token === "PAIR") checkPairEncoding(values.slice(at), algorithmOf(what, values));
    else if (token === "WEB") checkKinds("j u u o", values.slice(at), what);
    else if (token === "WEB1") checkKinds("j u o", values.slice(at), what);
    else checkKinds(token, values.slice(at, at + 1), what);
    at += sizes[token] ?? 1;
  }
  if (values.length > at) refuse(what);
}

const sizes: Readonly<Record<string, number>> = { KEY: 5, PRIVATE: 5, PAIR: 6, WEB: 4, WEB1: 3 };

function checkName(names: readonly unknown[], value: unknown, what: string): void {
  if (!names.includes(value)) refuse(what);
}

/** Kinds of keys that are generated by their name alone. */
function namedKeys(): readonly unknown[] {
  const younger: unknown = callableOf(cryptoBinding(), "getPqcKeyTypes")();
  return ["Ed25519", "Ed448", "X25519", "X448", ...(Array.isArray(younger) ? younger : [])];
}

/** Which of the older encodings a generated pair can have. */
function algorithmOf(job: string, values: readonly unknown[]): string {
  if (job === "EcKeyPairGenJob") return "ec";
  return job === "RsaKeyPairGenJob" && values.length === 9 ? "rsa" : "";
}

function needs(key: Kept, type: number): void {
  if (typeOf(key) !== type) refuse("key");
}

function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined) throw new KernelError("ENOSYS", name);
  return value;
}
