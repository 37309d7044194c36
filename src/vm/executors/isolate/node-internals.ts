// Node's own bindings, which a cell started with --expose-internals has: the engines behind those of guests.
import { KernelError } from "../../../kernel/index.ts";

export type Binding = Readonly<Record<string, unknown>>;
export type Callable = (...args: readonly unknown[]) => unknown;

/** A function or class of a binding or a prototype; ENOSYS where this Node has none. */
export function callableOf(holder: object, name: string): Callable {
  const value: unknown = Reflect.get(holder, name);
  if (typeof value !== "function") throw new KernelError("ENOSYS", name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typeof says so
  return value as Callable;
}

const bindings = new Map<string, Binding>();

/** internalBinding(name); undefined in a Node without --expose-internals. */
export function findBinding(name: string): Binding | undefined {
  const known = bindings.get(name);
  if (known !== undefined) return known;
  const test = process.getBuiltinModule("internal/test/binding");
  if (test === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Node's own tests get
  const found = callableOf(test, "internalBinding")(name) as Binding;
  bindings.set(name, found);
  return found;
}

/** internalBinding('crypto'), after Node's own library has made its classes there. */
export function cryptoBinding(): Binding {
  process.getBuiltinModule("node:crypto");
  const found = findBinding("crypto");
  if (found === undefined) throw new KernelError("ENOSYS", "crypto");
  return found;
}

let certificates: Callable | undefined;

/** The class of certificates, which Node's library keeps to itself. */
export function certificateClass(): Callable {
  if (certificates !== undefined) return certificates;
  const library = process.getBuiltinModule("internal/crypto/x509");
  if (library === undefined) throw new KernelError("ENOSYS", "x509");
  const made: unknown = Object.getPrototypeOf(callableOf(library, "InternalX509Certificate"));
  if (typeof made !== "function") throw new KernelError("ENOSYS", "x509");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- typeof says so
  certificates = made as Callable;
  return certificates;
}
