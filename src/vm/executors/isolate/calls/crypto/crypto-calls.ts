// Cryptography: a guest's binding calls the same functions and classes of the cell's own Node, each argument checked first.
import { KernelError } from "../../../../../kernel/index.ts";
import type { Packed } from "../../../../node/wire/pack.ts";
import { type Arguments, bytes, int, list, text } from "../../arguments.ts";
import type { Calls, Guest } from "../../guest.ts";
import { callableOf, certificateClass, cryptoBinding } from "../../node-internals.ts";
import { checkFunction, checkJob, checkMethod, checkNew } from "./check-arguments.ts";
import { generatePrime } from "./generate-prime.ts";
import { Kept, keep, keptAt } from "./kept-objects.ts";
import { makeJob, runJob } from "./run-job.ts";
import { errorToGuest, fromGuest, toGuest, unwrap } from "./values.ts";

/** Answers are { v: value } or { t: an error that the guest throws }. */
export const cryptoCalls: Calls = {
  cryptoFunction: (guest, args) =>
    answer(guest, () => {
      const name = text(args, 0);
      const values = valuesOf(guest, args, 1);
      checkFunction(name, values);
      return toGuest(guest, callNative(name, values));
    }),
  cryptoNew: async (guest, args) => {
    const name = text(args, 0);
    const values = valuesOf(guest, args, 1);
    checkNew(name, values);
    if (name.startsWith("DiffieHellman")) {
      await generatePrime(values, (job) => runInTurn(guest, args, job));
    }
    return answer(guest, () => describe(guest, name, construct(name, values)));
  },
  cryptoMethod: (guest, args) =>
    answer(guest, () => {
      const kept = keptAt(guest, int(args, 0));
      const method = text(args, 1);
      const values = valuesOf(guest, args, 2);
      checkMethod(kept, method, values);
      return toGuest(guest, callMethod(kept.object, method, values));
    }),
  /** A digest in one call: class, arguments, the data. */
  cryptoDigest: (guest, args) =>
    answer(guest, () => {
      const name = text(args, 0);
      const object = construct(name, digestArguments(guest, name, list(args, 1)));
      callMethod(object, "update", [bytes(args, 2)]);
      return toGuest(guest, callMethod(object, "digest", []));
    }),
  cryptoPrepare: (guest, args) => answer(guest, () => keep(guest, "Job", prepare(guest, args))),
  async cryptoRun(guest, args) {
    const id = int(args, 0);
    const { className, object } = keptAt(guest, id);
    if (className !== "Job") throw new KernelError("EBADF");
    guest.objects.delete(id);
    return outcome(guest, await runInTurn(guest, args, object));
  },
  async cryptoRunNow(guest, args) {
    let job: object | undefined;
    const failed = answer(guest, () => {
      job = prepare(guest, args);
      return undefined;
    });
    return job === undefined ? failed : { v: outcome(guest, await runInTurn(guest, args, job)) };
  },
  cryptoRelease(guest, args) {
    for (const id of list(args, 0)) {
      if (typeof id === "number" && guest.objects.get(id) instanceof Kept) guest.objects.delete(id);
    }
    return undefined;
  },
};

function runInTurn(guest: Guest, args: Arguments, job: object): ReturnType<typeof runJob> {
  const { pool, account, requests } = guest;
  return pool.crypto.run(account, requests.signalOf(args), () => runJob(job));
}

function answer(guest: Guest, run: () => Packed): Packed {
  try {
    return { v: run() };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof KernelError) throw error;
    return { t: errorToGuest(guest, error) };
  }
}

function outcome(guest: Guest, [error, result]: readonly [unknown, unknown]): Packed {
  return [toGuest(guest, error), toGuest(guest, result)];
}

function valuesOf(guest: Guest, args: Arguments, from: number): unknown[] {
  return args.slice(from).map((value) => fromGuest(guest, value));
}

function callNative(name: string, values: readonly unknown[]): unknown {
  return callableOf(cryptoBinding(), name)(...withCache(name, values).map(unwrap));
}

function callMethod(object: object, method: string, values: readonly unknown[]): unknown {
  return Reflect.apply(callableOf(object, method), object, values.map(unwrap));
}

function construct(name: string, values: readonly unknown[]): object {
  if (name === "X509Certificate") return Reflect.construct(certificateClass(), values.map(unwrap));
  const isInitialised = !withInit.has(name);
  const made: object = Reflect.construct(
    callableOf(cryptoBinding(), name),
    isInitialised ? withCache(name, values).map(unwrap) : [],
  );
  if (!isInitialised) callMethod(made, "init", values);
  return made;
}

/** Classes whose constructor takes nothing. */
const withInit = new Set(["Hmac", "Sign", "Verify", "KeyObjectHandle"]);

/** Where each takes Node's cache of names, and the number found there. */
const cached: Readonly<Record<string, readonly [idAt: number, cache: string]>> = {
  Hash: [2, "getCachedAliases"],
  Mac: [1, "getCachedMacAliases"],
  oneShotDigest: [1, "getCachedAliases"],
};

function withCache(name: string, values: readonly unknown[]): readonly unknown[] {
  const place = cached[name];
  if (place === undefined) return values;
  const [idAt, cache] = place;
  const all = [...values];
  all[idAt] = -1;
  all[idAt + 1] = callableOf(cryptoBinding(), cache)();
  return all;
}

function digestArguments(guest: Guest, name: string, args: Arguments): unknown[] {
  const values = valuesOf(guest, args, 0);
  if (name !== "Hash" && name !== "Hmac") throw new KernelError("EINVAL");
  checkNew(name, values);
  return values;
}

function describe(guest: Guest, className: string, object: object): Packed {
  const verifyError: unknown = className.startsWith("DiffieHellman")
    ? Reflect.get(object, "verifyError")
    : undefined;
  return [
    keep(guest, className, object),
    typeof verifyError === "number" ? verifyError : undefined,
  ];
}

function prepare(guest: Guest, args: Arguments): object {
  const name = text(args, 0);
  const mode = int(args, 1);
  const values = valuesOf(guest, args, 2);
  checkJob(name, mode, values);
  return makeJob(name, mode, values.map(unwrap));
}
