// process.env: a proxy, as Node's, over the environment that children get. See src/node_env_var.cc.
import { optionValues } from "../bindings/options.ts";
import { codedError } from "../errors.ts";
import { facts } from "../facts.ts";
import { takeTimeZone } from "./region.ts";

interface Warner {
  emitWarning(message: string, type: string, code: string): void;
}

export function makeEnvironment(process: Warner): Record<string, string> {
  const { env } = facts;
  return new Proxy<Record<string, string>>(
    {},
    {
      get(target, name): unknown {
        if (typeof name === "symbol") return undefined;
        return env.get(name) ?? Reflect.get(target, name);
      },
      set(_, name, value: unknown): boolean {
        setVariable(process, name, value);
        return true;
      },
      has: (target, name) => typeof name === "string" && (env.has(name) || name in target),
      deleteProperty(_, name): boolean {
        if (typeof name === "string" && env.delete(name) && name === "TZ") takeTimeZone();
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
        setVariable(process, name, descriptor.value);
        return true;
      },
    },
  );
}

let wasWarned = false;

function setVariable(process: Warner, name: string | symbol, value: unknown): void {
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  if (!isPlain && !wasWarned && optionValues.get("--pending-deprecation") === true) {
    wasWarned = true;
    const message =
      "Assigning any value other than a string, number, or boolean to a process.env property is " +
      "deprecated. Please make sure to convert the value to a string before setting process.env with it.";
    process.emitWarning(message, "DeprecationWarning", "DEP0104");
  }
  // A template fails for symbols, as C++'s ToString does.
  const [key, text] = [`${name as string}`, `${value as string}`];
  const cut = key.split("\0", 1)[0] ?? "";
  if (cut === "" || cut.includes("=")) return;
  facts.env.set(cut, text.split("\0", 1)[0] ?? "");
  if (cut === "TZ") takeTimeZone();
}

function checkDescriptor(descriptor: PropertyDescriptor): void {
  const { configurable, writable, enumerable } = descriptor;
  const isAccessor = "get" in descriptor || "set" in descriptor;
  const isPlain = configurable === true && writable === true && enumerable === true;
  if (!isAccessor && isPlain && "value" in descriptor) return;
  throw codedError(
    TypeError as ErrorConstructor,
    "ERR_INVALID_OBJECT_DEFINE_PROPERTY",
    isAccessor
      ? "'process.env' does not accept an accessor(getter/setter) descriptor"
      : "'process.env' only accepts a configurable, writable, and enumerable data descriptor",
  );
}
