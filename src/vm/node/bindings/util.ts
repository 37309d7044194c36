import { call } from "../channel.ts";
import { lateAll } from "../late.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { parseEnv } from "./util/parse-env.ts";

/** Node's numbers of the kinds of handle, see lib/internal/util.js. */
const handleKinds = ["TCP", "TTY", "UDP", "FILE", "PIPE", "UNKNOWN", "INVALID"];

export const util = (): Binding => ({
  ...staticsOf("util"),
  ...lateAll([
    "getPromiseDetails",
    "getProxyDetails",
    "previewEntries",
    "getOwnNonIndexProperties",
    "getConstructorName",
    "getExternalValue",
    "arrayBufferViewHasBuffer",
    "markPromiseAsHandled",
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
  // One frame less: that of the function here.
  getCallSites: (frames: number) => native["getCallSites"](frames, 1),
  isInsideNodeModules: (frames = 10) => native["isInsideNodeModules"](frames + 1),
  getCallerLocation: () => native["getCallerLocation"](1),
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
  const get = {
    [name](this: object): unknown {
      return settle(this ?? target, requireBuiltin(id)[name]);
    },
  }[name];
  const set = {
    [name](this: object, value: unknown): void {
      settle(this ?? target, value);
    },
  }[name];
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: isEnumerable,
    ...(get && { get }),
    ...(set && { set }),
  });
}
