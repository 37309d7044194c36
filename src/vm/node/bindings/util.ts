import { call } from "../channel.ts";
import { lateAll } from "../late.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

/** Node's numbers of the kinds of handle, see lib/internal/util.js. */
const handleKinds = ["TCP", "TTY", "UDP", "FILE", "PIPE", "UNKNOWN", "INVALID"];

export const util = (): Binding => ({
  ...staticsOf("util"),
  ...lateAll([
    "getPromiseDetails",
    "getProxyDetails",
    "getCallerLocation",
    "previewEntries",
    "getOwnNonIndexProperties",
    "getConstructorName",
    "getExternalValue",
    "getCallSites",
    "arrayBufferViewHasBuffer",
    "markPromiseAsHandled",
    "isInsideNodeModules",
  ]),
  ...lateAll(
    [
      "isArrayBuffer",
      "isAsyncFunction",
      "isDate",
      "isExternal",
      "isMap",
      "isMapIterator",
      "isNativeError",
      "isPromise",
      "isRegExp",
      "isSet",
      "isSetIterator",
      "isAnyArrayBuffer",
    ],
    "types",
  ),
  isArrayBufferView: ArrayBuffer.isView,
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isDataView: (value: unknown) => value instanceof DataView,
  
  shouldAbortOnUncaughtToggle: new Uint32Array(1),
  defineLazyProperties,
  constructSharedArrayBuffer: (bytes: number) => new SharedArrayBuffer(bytes),
  getSharedArrayBufferGrowable: (buffer: SharedArrayBuffer) => buffer.growable,
  guessHandleType: (fd: number) => handleKinds.indexOf(call("handleKind", fd)),
  sleep: (ms: number) => call("sleep", ms),
  parseEnv,
});

/** As node's C++: a getter for each name that requires the module when it is first read. */
function defineLazyProperties(
  target: object,
  id: string,
  names: readonly string[],
  isEnumerable = true,
): void {
  for (const name of names) defineLazy(target, id, name, isEnumerable);
}

let requireBuiltin: (id: string) => any = () => ({});

export function setRequire(require: typeof requireBuiltin): void {
  requireBuiltin = require;
}

function defineLazy(target: object, id: string, name: string, isEnumerable: boolean): void {
  const settle = (self: object, value: unknown): unknown => {
    Object.defineProperty(self, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: isEnumerable,
    });
    return value;
  };
  const get = { [name](this: object): unknown {
    return settle(this ?? target, requireBuiltin(id)[name]);
  } }[name];
  const set = { [name](this: object, value: unknown): void {
    settle(this ?? target, value);
  } }[name];
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: isEnumerable,
    ...(get && { get }),
    ...(set && { set }),
  });
}

/** A .env file's lines, as node's Dotenv parses them. */
function parseEnv(content: string): Record<string, string> {
  const values: Record<string, string> = {};
  const line =
    /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\n#]*))?/gm;
  for (const [, name = "", single, double, back, bare] of content.matchAll(line)) {
    values[name] = single ?? double?.replaceAll("\\n", "\n") ?? back ?? bare?.trim() ?? "";
  }
  return values;
}
