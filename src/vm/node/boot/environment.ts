// process.env: a proxy, as Node's, over the environment that children get.
import { facts } from "../facts.ts";

export function makeEnvironment(): Record<string, string> {
  const { env } = facts;
  return new Proxy<Record<string, string>>(
    {},
    {
      get: (_, name) => (typeof name === "string" ? env.get(name) : undefined),
      set(_, name, value: unknown): boolean {
        if (typeof name === "symbol" || typeof value === "symbol")
          throw new TypeError("Cannot convert a Symbol value to a string");
        env.set(name, String(value));
        return true;
      },
      has: (_, name) => typeof name === "string" && env.has(name),
      deleteProperty(_, name): boolean {
        if (typeof name === "string") env.delete(name);
        return true;
      },
      ownKeys: () => [...env.keys()],
      getOwnPropertyDescriptor(_, name): PropertyDescriptor | undefined {
        const value = typeof name === "string" ? env.get(name) : undefined;
        if (value === undefined) return undefined;
        return { value, writable: true, enumerable: true, configurable: true };
      },
      defineProperty(_, name, descriptor): boolean {
        checkDescriptor(descriptor);
        env.set(String(name), String(descriptor.value));
        return true;
      },
    },
  );
}

function checkDescriptor({ configurable, writable, enumerable, get, set }: PropertyDescriptor): void {
  const message =
    get !== undefined || set !== undefined
      ? "'process.env' does not accept an accessor(getter/setter) descriptor"
      : configurable === true && writable === true && enumerable === true
        ? undefined
        : "'process.env' only accepts a configurable, writable, and enumerable data descriptor";
  if (message === undefined) return;
  const error: TypeError & { code?: string } = new TypeError(message);
  error.code = "ERR_INVALID_OBJECT_DEFINE_PROPERTY";
  throw error;
}
