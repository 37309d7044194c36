// Values between a guest's binding and Node's own: what bytes, keys, objects and errors look like on the wire.
//
// Bytes stand for a Buffer. Everything else that is not a primitive is a record with one letter:
// b an ArrayBuffer, a an array, o an object (n: without a prototype), d a date, e an error, $ something kept.
import { KernelError } from "../../../../../kernel/index.ts";
import type { Packed } from "../../../../node/wire/pack.ts";
import { int, record } from "../../arguments.ts";
import type { Guest } from "../../guest.ts";
import { callableOf, cryptoBinding } from "../../node-internals.ts";
import { classNameOf, type Kept, keep, keptAt } from "./kept-objects.ts";

/** An argument as Node's binding takes it; kept things come as `Kept`. */
export function fromGuest(guest: Guest, value: Packed): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value !== "object" || value === null) return value;
  const tagged = record([value], 0);
  if ("$" in tagged) return keptAt(guest, int([tagged["$"]], 0));
  if ("b" in tagged) {
    const bytes = tagged["b"];
    if (!(bytes instanceof Uint8Array)) throw new KernelError("EINVAL");
    return new Uint8Array(bytes).buffer;
  }
  if ("o" in tagged) return plainObject(record([tagged["o"]], 0));
  throw new KernelError("EINVAL");
}

/** A JSON Web Key: its members are text. */
function plainObject(members: { readonly [name: string]: Packed }): object {
  const object: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (typeof value === "object") throw new KernelError("EINVAL");
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return object;
}

/** What Node's binding gave. */
export function toGuest(guest: Guest, value: unknown): Packed {
  if (value === undefined || value === null) return value;
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value !== "object") return undefined;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return { b: new Uint8Array(value) };
  if (Array.isArray(value)) return { a: value.map((one) => toGuest(guest, one)) };
  if (value instanceof Date) return { d: value.getTime() };
  if (value instanceof Error) return { e: errorToGuest(guest, value) };
  return objectToGuest(guest, value);
}

function objectToGuest(guest: Guest, value: object): Packed {
  const binding = cryptoBinding();
  if (callableOf(binding, "isCryptoKey")(value) === true) {
    const slots: unknown = callableOf(binding, "getCryptoKeySlots")(value);
    return toGuest(guest, Array.isArray(slots) ? slots[4] : undefined);
  }
  const className = classNameOf(value);
  if (className !== undefined) return { $: keep(guest, className, value), c: className };
  const members: { [name: string]: Packed } = Object.create(null);
  for (const [name, one] of Object.entries(value)) members[name] = toGuest(guest, one);
  return Object.getPrototypeOf(value) === null ? { n: members } : { o: members };
}

/** An error's class, its message, and what Node has put on it. */
export function errorToGuest(guest: Guest, error: Error): Packed {
  const properties: { [name: string]: Packed } = Object.create(null);
  for (const [name, value] of Object.entries(error)) properties[name] = toGuest(guest, value);
  return [kindOf(error), error.message, properties];
}

function kindOf(error: Error): string {
  if (error instanceof RangeError) return "RangeError";
  return error instanceof TypeError ? "TypeError" : "Error";
}

/** Kept things as themselves. */
export function unwrap(value: unknown): unknown {
  return isKept(value) ? value.object : value;
}

function isKept(value: unknown): value is Kept {
  return typeof value === "object" && value !== null && "className" in value && "object" in value;
}
