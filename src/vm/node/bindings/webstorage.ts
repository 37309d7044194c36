// Storage as sessionStorage has it: names and texts of one process, in memory.
import { codedError } from "../errors.ts";
import type { Binding } from "./base.ts";
import { loaders } from "./builtins.ts";

/** As node_webstorage.cc: 10 MB of names and values. */
const QUOTA_BYTES = 10 * 1024 * 1024;
const kConstructorKey = Symbol("kConstructorKey");

export const webstorage = (): Binding => ({ Storage, kConstructorKey });

class Storage {
  readonly #items = new Map<string, string>();
  #bytes = 0;

  constructor(key: symbol, location: string) {
    if (key !== kConstructorKey)
      throw codedError(
        TypeError as ErrorConstructor,
        "ERR_ILLEGAL_CONSTRUCTOR",
        "Illegal constructor",
      );
    if (location !== ":memory:")
      throw codedError(
        Error,
        "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
        "localStorage with --localstorage-file is not supported in a VM",
      );
    const proxy = new Proxy(this, namedProperties) as Storage;
    targets.set(proxy, this);
    return proxy;
  }

  static itemsOf(storage: Storage): ReadonlyMap<string, string> {
    return raw(storage).#items;
  }

  get length(): number {
    return raw(this).#items.size;
  }

  key(index: number): string | null {
    requireArguments(arguments.length, 1, "index");
    return [...raw(this).#items.keys()][Math.trunc(Number(index)) || 0] ?? null;
  }

  getItem(name: string): string | null {
    requireArguments(arguments.length, 1, "key");
    return raw(this).#items.get(`${name}`) ?? null;
  }

  setItem(name: string, value: string): void {
    requireArguments(arguments.length, 2, "key", "value");
    const self = raw(this);
    const [key, text] = [`${name}`, `${value}`];
    const before = self.#items.get(key);
    const bytes =
      self.#bytes + sizeOf(key, text) - (before === undefined ? 0 : sizeOf(key, before));
    if (bytes > QUOTA_BYTES) throw quotaExceeded();
    self.#bytes = bytes;
    self.#items.set(key, text);
  }

  removeItem(name: string): void {
    requireArguments(arguments.length, 1, "key");
    const self = raw(this);
    const before = self.#items.get(`${name}`);
    if (before === undefined) return;
    self.#bytes -= sizeOf(`${name}`, before);
    self.#items.delete(`${name}`);
  }

  clear(): void {
    const self = raw(this);
    self.#items.clear();
    self.#bytes = 0;
  }
}

const targets = new WeakMap<object, Storage>();

/** The storage behind its proxy. */
function raw(storage: Storage): Storage {
  return targets.get(storage) ?? storage;
}

function sizeOf(name: string, value: string): number {
  return (name.length + value.length) * 2;
}

function requireArguments(count: number, wanted: number, ...names: string[]): void {
  if (count >= wanted) return;
  const { codes } = loaders.require("internal/errors");
  throw new codes.ERR_MISSING_ARGS(...names.slice(count));
}

function quotaExceeded(): Error {
  return new (globalThis as any).DOMException(
    "Setting the value exceeded the quota",
    "QuotaExceededError",
  );
}

/** Names that are not the class's own are items, as WebIDL's legacy platform objects have it. */
const namedProperties: ProxyHandler<Storage> = {
  get(target, name, receiver): unknown {
    if (typeof name === "symbol" || name in Storage.prototype)
      return Reflect.get(target, name, receiver);
    return Storage.itemsOf(target).get(name);
  },
  set(target, name, value): boolean {
    if (typeof name === "symbol") return Reflect.set(target, name, value);
    target.setItem(name, value as string);
    return true;
  },
  has: (target, name) =>
    (typeof name === "string" && Storage.itemsOf(target).has(name)) || Reflect.has(target, name),
  deleteProperty(target, name): boolean {
    if (typeof name === "symbol") return Reflect.deleteProperty(target, name);
    target.removeItem(name);
    return true;
  },
  ownKeys: (target) => [...Storage.itemsOf(target).keys(), ...Reflect.ownKeys(target)],
  getOwnPropertyDescriptor(target, name): PropertyDescriptor | undefined {
    const value = typeof name === "string" ? Storage.itemsOf(target).get(name) : undefined;
    if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, name);
    return { value, writable: true, enumerable: true, configurable: true };
  },
  defineProperty(target, name, descriptor): boolean {
    if (typeof name === "symbol") return Reflect.defineProperty(target, name, descriptor);
    target.setItem(name, descriptor.value);
    return true;
  },
};
