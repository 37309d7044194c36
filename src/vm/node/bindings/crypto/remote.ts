// Objects of Node's crypto that the kernel keeps for this process, and values on their way there and back.
import { CallError, call } from "../../channel.ts";
import { codedError } from "../../errors.ts";
import { native } from "../../native.ts";
import type { Packed } from "../../wire/pack.ts";
import { toBuffer } from "../buffer.ts";

const ids = new WeakMap<object, number>();
/** All that is adopted. V8 runs no finalizers in a guest, so these are looked through from time to time. */
let adopted: [WeakRef<object>, number][] = [];
const LOOK_AT = 1024;
let lookAt = LOOK_AT;

/** From now on this object stands for the kernel's of this number. */
export function adopt(object: object, id: number): void {
  ids.set(object, id);
  adopted.push([new WeakRef(object), id]);
  if (adopted.length >= lookAt) releaseGone();
}

/** Tells the kernel which objects are gone; looks again when there are many more than are left. */
function releaseGone(): void {
  const gone: number[] = [];
  adopted = adopted.filter(([ref, id]) => {
    const isThere = ref.deref() !== undefined;
    if (!isThere) gone.push(id);
    return isThere;
  });
  lookAt = adopted.length + Math.min(Math.max(LOOK_AT, adopted.length), 4 * LOOK_AT);
  if (gone.length > 0) call("cryptoRelease", gone);
}

export function idOf(object: object): number | undefined {
  return ids.get(object);
}

/** Classes of this binding by name, for objects that an answer brings. */
export const classes: Record<string, any> = Object.create(null);

/** What is still wanted of an adopted object when it is made here. */
export const adopting = Symbol("adopting");

export function toWire(value: unknown): Packed {
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value as Packed;
  const id = ids.get(value);
  if (id !== undefined) return { $: id };
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (isAnyArrayBuffer(value)) return { b: new Uint8Array(value) };
  const members: Record<string, Packed> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member !== "object" && typeof member !== "function") members[key] = member as Packed;
  }
  return { o: members };
}

/** Of this context or another's. */
function isAnyArrayBuffer(value: object): value is ArrayBuffer {
  return native["types"].isAnyArrayBuffer(value);
}

export function fromWire(value: any): any {
  if (value instanceof Uint8Array) return toBuffer(value.slice());
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(fromWire);
  if ("$" in value) return new classes[value.c](adopting, value.$);
  if ("b" in value) return value.b.slice().buffer;
  if ("a" in value) return value.a.map(fromWire);
  if ("d" in value) return new Date(value.d);
  if ("e" in value) return makeError(value.e);
  const object = "n" in value ? Object.create(null) : {};
  const members = value.n ?? value.o;
  for (const key of Object.keys(members)) object[key] = fromWire(members[key]);
  return object;
}

const kinds: Record<string, ErrorConstructor> = { Error, TypeError, RangeError } as any;

function makeError([kind, message, properties]: [string, string, Record<string, any>]): Error {
  const error: any = new (kinds[kind] ?? Error)(message);
  for (const key of Object.keys(properties)) error[key] = fromWire(properties[key]);
  return error;
}

/** Calls the kernel; what Node's own binding would throw there is thrown here. */
export function ask(name: string, ...args: Packed[]): any {
  const answer = asking(() => call(name, ...args));
  if ("t" in answer) throw makeError(answer.t);
  return fromWire(answer.v);
}

/** An errno instead of an answer: an argument that Node's library never gives, or a limit. */
function asking(run: () => any): any {
  try {
    return run();
  } catch (error) {
    if (error instanceof CallError) throw failure(error);
    throw error;
  }
}

export function failure({ code, detail }: CallError): Error {
  if (code === "ENOMEM")
    return codedError(Error, "ERR_OPERATION_FAILED", "Too many crypto objects in this process");
  const about = detail === undefined ? "" : `: ${detail}`;
  if (code === "E2BIG")
    return codedError(RangeError, "ERR_OUT_OF_RANGE", `More than a VM allows${about}`);
  return codedError(Error, "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", `Not supported in a VM${about}`);
}

/** A function of the binding. */
export function remoteFunction(name: string): (...args: unknown[]) => any {
  const run = (...args: unknown[]): any => ask("cryptoFunction", name, ...args.map(toWire));
  return Object.defineProperty(run, "name", { value: name });
}

/** A method of something adopted. */
export function askMethod(object: object, method: string, ...args: unknown[]): any {
  return ask("cryptoMethod", ids.get(object) as number, method, ...args.map(toWire));
}

/** A class whose constructor and methods are the kernel's. */
export function remoteClass(name: string, methods: readonly string[]): any {
  const made = class {
    constructor(...args: unknown[]) {
      if (args[0] === adopting) {
        adopt(this, args[1] as number);
        return;
      }
      const [id, verifyError] = ask("cryptoNew", name, ...args.map(toWire));
      adopt(this, id);
      if (verifyError !== undefined) Object.assign(this, { verifyError });
    }
  };
  Object.defineProperty(made, "name", { value: name });
  for (const method of methods) defineMethod(made.prototype, method);
  classes[name] = made;
  return made;
}

export function defineMethod(prototype: object, method: string): void {
  Object.defineProperty(prototype, method, {
    configurable: true,
    writable: true,
    enumerable: true,
    value(this: object, ...args: unknown[]): any {
      return askMethod(this, method, ...args);
    },
  });
}
