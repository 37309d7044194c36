// Functions and classes of native/guest-binding, for code that takes them before they are there.
import { native } from "./native.ts";

type AnyFunction = (...args: never[]) => unknown;

/** A function that calls the native one of this name, or of this group and name. */
export function late(name: string, group?: string): AnyFunction {
  const call = function (this: unknown, ...args: unknown[]): unknown {
    const from = group === undefined ? native : native[group];
    return from[name].apply(this, args);
  };
  return Object.defineProperty(call, "name", { value: name });
}

/** An object of such functions. */
export function lateAll(names: readonly string[], group?: string): Record<string, AnyFunction> {
  return Object.fromEntries(names.map((name) => [name, late(name, group)]));
}

/** A class whose instances are made by the native class of this name; it can be extended. */
export function lateClass(name: string, methods: readonly string[]): AnyFunction {
  function make(this: unknown, ...args: unknown[]): unknown {
    return Reflect.construct(native[name], args, new.target ?? make);
  }
  Object.defineProperty(make, "name", { value: name });
  for (const method of methods) {
    Object.defineProperty(make.prototype, method, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        return native[name].prototype[method].apply(this, args);
      },
    });
  }
  return make as AnyFunction;
}
