// Jobs: work on the kernel's thread pool that is waited for, or that a callback or promise tells about.
import { call } from "../../channel.ts";
import { request } from "../../requests.ts";
import type { Packed } from "../../wire/pack.ts";
import { AsyncWrap } from "../async-wrap.ts";
import { bytesOf } from "../buffer.ts";
import { perContext } from "../messaging/per-context.ts";
import { makeCryptoKey } from "./keys.ts";
import { ask, failure, fromWire, toWire } from "./remote.ts";

const mode = { async: 0, sync: 1, webCrypto: 2 } as const;

type Outcome = (error: unknown, result: unknown) => void;

abstract class Job extends AsyncWrap {
  declare ondone: Outcome;
  readonly #mode: number;

  constructor(provider: string, given: number) {
    super(provider);
    this.#mode = given;
  }

  run(): unknown {
    if (this.#mode === mode.sync) return this.runNow();
    if (this.#mode !== mode.webCrypto) {
      this.start((...outcome) => this.#tell(() => this.ondone(...outcome)));
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.start((error, result) => {
      this.#tell(() => {
        if (error !== undefined) reject(operationError(error));
        else resolveWith(resolve, this.webResult(result));
      });
    });
    return promise;
  }

  #tell(run: () => void): void {
    AsyncWrap.within(this, run);
    AsyncWrap.destroyed(this);
  }

  protected webResult(result: any): unknown {
    return result instanceof Uint8Array ? result.buffer : result;
  }

  protected abstract runNow(): [unknown, unknown];
  protected abstract start(done: Outcome): void;
}

// oxlint-disable-next-line unicorn/no-thenable -- it is hidden, as node::crypto::CryptoJob does
const THEN = "then";

/** A result that has a `then` of somebody's prototype is no promise for all that. */
function resolveWith(resolve: (value: unknown) => void, value: unknown): void {
  const isObject = typeof value === "object" && value !== null;
  const isMarked = isObject && !Object.hasOwn(value, THEN);
  if (isMarked) Object.defineProperty(value, THEN, { value: undefined, configurable: true });
  resolve(value);
  if (isMarked) Reflect.deleteProperty(value, THEN);
}

function operationError(cause: unknown): Error {
  const words = "The operation failed for an operation-specific reason";
  return new perContext["DOMException"](words, { name: "OperationError", cause });
}

/** A job of the kernel's Node. */
class RemoteJob extends Job {
  readonly #name: string;
  readonly #args: Packed[];
  readonly #id: number | undefined;
  /** What the arguments stand for, until the job is done. */
  readonly #held: unknown[];

  constructor(name: string, given: number, args: readonly unknown[]) {
    super(providers[name] ?? "NONE", given);
    this.#name = name;
    this.#args = args.map(toWire);
    this.#held = [...args];
    if (given !== mode.sync) this.#id = ask("cryptoPrepare", name, given, ...this.#args);
  }

  protected runNow(): [unknown, unknown] {
    const [error, result] = ask("cryptoRunNow", this.#name, mode.sync, ...this.#args);
    return [error, result];
  }

  protected start(done: Outcome): void {
    request("cryptoRun", [this.#id], (error, outcome) => {
      this.#held.length = 0;
      if (error !== undefined) return done(failure(error), undefined);
      done(fromWire(outcome[0]), fromWire(outcome[1]));
    });
  }
}

const providers: Record<string, string> = {
  AESCipherJob: "CIPHERREQUEST",
  ChaCha20Poly1305CipherJob: "CIPHERREQUEST",
  RSACipherJob: "CIPHERREQUEST",
  HashJob: "HASHREQUEST",
  CShakeJob: "HASHREQUEST",
  TurboShakeJob: "HASHREQUEST",
  KangarooTwelveJob: "HASHREQUEST",
  HmacJob: "SIGNREQUEST",
  KmacJob: "SIGNREQUEST",
  SignJob: "SIGNREQUEST",
  HKDFJob: "DERIVEBITSREQUEST",
  PBKDF2Job: "PBKDF2REQUEST",
  ScryptJob: "SCRYPTREQUEST",
  Argon2Job: "ARGON2REQUEST",
  DHBitsJob: "DERIVEBITSREQUEST",
  KEMEncapsulateJob: "DERIVEBITSREQUEST",
  KEMDecapsulateJob: "DERIVEBITSREQUEST",
  RandomPrimeJob: "RANDOMPRIMEREQUEST",
  CheckPrimeJob: "CHECKPRIMEREQUEST",
  SecretKeyGenJob: "KEYGENREQUEST",
  RsaKeyPairGenJob: "KEYPAIRGENREQUEST",
  DsaKeyPairGenJob: "KEYPAIRGENREQUEST",
  EcKeyPairGenJob: "KEYPAIRGENREQUEST",
  DhKeyPairGenJob: "KEYPAIRGENREQUEST",
  NamedKeyPairGenJob: "KEYPAIRGENREQUEST",
};

function jobClass(name: string): unknown {
  const made = class extends RemoteJob {
    constructor(given: number, ...args: unknown[]) {
      super(name, given, args);
    }
  };
  return Object.defineProperty(made, "name", { value: name });
}

/** Generates keys; Web Crypto's are made here from the kernel's. */
function keyJobClass(name: string): unknown {
  const made = class extends RemoteJob {
    readonly #web: unknown[];

    constructor(given: number, ...args: unknown[]) {
      const isWeb = given === mode.webCrypto;
      const size = name === "SecretKeyGenJob" ? 3 : 4;
      super(name, given, isWeb ? [...args.slice(0, -size), {}, ...args.slice(1 - size)] : args);
      this.#web = isWeb ? args.slice(-size) : [];
    }

    protected override webResult(keys: any): unknown {
      const [algorithm, ...rest] = this.#web;
      if (rest.length === 2) return makeCryptoKey(keys, algorithm, ...rest);
      const [publicUsages, privateUsages, isExtractable] = rest;
      return {
        publicKey: makeCryptoKey(keys.publicKey, algorithm, publicUsages, true),
        privateKey: makeCryptoKey(keys.privateKey, algorithm, privateUsages, isExtractable),
      };
    }
  };
  return Object.defineProperty(made, "name", { value: name });
}

/** Bytes of one call for random ones. */
const RANDOM_BYTES = 1024 * 1024;

class RandomBytesJob extends Job {
  readonly #into: Uint8Array;

  constructor(given: number, into: ArrayBufferView | ArrayBuffer, offset: number, size: number) {
    super("RANDOMBYTESREQUEST", given);
    this.#into = bytesOf(into).subarray(offset, offset + size);
  }

  protected runNow(): [unknown, unknown] {
    for (let at = 0; at < this.#into.length; at += RANDOM_BYTES) {
      const size = Math.min(RANDOM_BYTES, this.#into.length - at);
      this.#into.set(call("random", size), at);
    }
    return [undefined, undefined];
  }

  protected start(done: Outcome): void {
    this.#fill(0, done);
  }

  #fill(at: number, done: Outcome): void {
    const size = Math.min(RANDOM_BYTES, this.#into.length - at);
    request("random", [size], (error, bytes) => {
      if (error !== undefined) return done(failure(error), undefined);
      this.#into.set(bytes, at);
      if (at + size < this.#into.length) return this.#fill(at + size, done);
      done(undefined, undefined);
    });
  }
}

/** Every class of jobs by its name. */
export function jobClasses(): Record<string, unknown> {
  const made: Record<string, unknown> = { RandomBytesJob };
  for (const name of Object.keys(providers))
    made[name] =
      name.includes("KeyPairGen") || name === "SecretKeyGenJob"
        ? keyJobClass(name)
        : jobClass(name);
  return made;
}
