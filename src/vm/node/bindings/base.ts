// Bindings that are little more than their constants.
import { call } from "../channel.ts";
import { codedError } from "../errors.ts";
import { lateAll, lateClass } from "../late.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";

export type Binding = Record<string, any>;

const nothing = (): undefined => undefined;
const { NumberFormat } = Intl;

export const asyncContextFrame = (): Binding =>
  lateAll(["getContinuationPreservedEmbedderData", "setContinuationPreservedEmbedderData"]);

export const config = (): Binding => ({
  ...staticsOf("config"),
  hasInspector: false,
  getDefaultLocale: () => new NumberFormat().resolvedOptions().locale,
});

export const constants = (): Binding => {
  const values = staticsOf("constants");
  for (const group of Object.values(values)) withoutPrototype(group);
  return values;
};

/** Constants that C++ defines: nothing is inherited, nothing can be set. */
function withoutPrototype(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.setPrototypeOf(value, null);
  for (const [name, one] of Object.entries(value)) {
    withoutPrototype(one);
    Object.defineProperty(value, name, { value: one, writable: false, configurable: false });
  }
}

export const diagnosticsChannel = (): Binding => {
  const indexes = new Map<string, number>();
  return {
    ...staticsOf("diagnostics_channel"),
    getOrCreateChannelIndex(name: string): number {
      const known = indexes.get(name);
      if (known !== undefined) return known;
      indexes.set(name, indexes.size);
      return indexes.size - 1;
    },
    linkNativeChannel: nothing,
    notifyChannelActive: nothing,
    notifyChannelInactive: nothing,
  };
};

export const mksnapshot = (): Binding => ({
  ...staticsOf("mksnapshot"),
  setSerializeCallback: nothing,
  setDeserializeCallback: nothing,
  setDeserializeMainFunction: nothing,
  isBuildingSnapshotBuffer: new Uint8Array(1),
});

export const permission = (): Binding => ({ has: () => true, drop: nothing });

export const symbols = (): Binding => staticsOf("symbols");

export const traceEvents = (): Binding => ({
  ...staticsOf("trace_events"),
  hasAgent: () => false,
  getEnabledCategories: nothing,
  setTraceCategoryStateUpdateHandler: nothing,
  getCategoryEnabledBuffer: () => new Uint8Array(1),
  isTraceCategoryEnabled: () => false,
  trace: nothing,
  CategorySet: class CategorySet {
    enable(): void {}
    disable(): void {}
  },
});

export const inspector = (): Binding => ({
  console: {},
  isEnabled: () => false,
  setConsoleExtensionInstaller: nothing,
  registerAsyncHook: nothing,
  consoleCall: nothing,
  url: nothing,
});

export const internalOnlyV8 = (): Binding => ({
  queryObjects(): never {
    throw unavailable("v8.queryObjects()");
  },
});

/** For a function that a VM does not have. */
export function unavailable(what: string): Error {
  return codedError(
    Error,
    "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
    `${what} is not supported in a VM`,
  );
}

export const types = (): Binding => lateAll(typeChecks, "types");

const typeChecks = [
  "isArgumentsObject",
  "isArrayBuffer",
  "isAsyncFunction",
  "isBigIntObject",
  "isBooleanObject",
  "isDate",
  "isExternal",
  "isGeneratorFunction",
  "isGeneratorObject",
  "isMap",
  "isMapIterator",
  "isModuleNamespaceObject",
  "isNativeError",
  "isNumberObject",
  "isPromise",
  "isProxy",
  "isRegExp",
  "isSet",
  "isSetIterator",
  "isSharedArrayBuffer",
  "isStringObject",
  "isSymbolObject",
  "isWeakMap",
  "isWeakSet",
  "isAnyArrayBuffer",
  "isBoxedPrimitive",
];

export const uv = (): Binding => {
  const values = staticsOf("uv");
  const names: Map<number, [string, string]> = values["names"];
  delete values["names"];
  return {
    ...values,
    errname: (number: number) => names.get(number)?.[0] ?? `Unknown system error ${number}`,
    getErrorMap: () => names,
    getErrorMessage: (number: number) => names.get(number)?.[1] ?? `Unknown system error ${number}`,
  };
};

export const serdes = (): Binding => ({
  Serializer: lateClass("Serializer", [
    "writeHeader",
    "writeValue",
    "releaseBuffer",
    "transferArrayBuffer",
    "writeUint32",
    "writeUint64",
    "writeDouble",
    "writeRawBytes",
    "_setTreatArrayBufferViewsAsHostObjects",
  ]),
  Deserializer: lateClass("Deserializer", [
    "readHeader",
    "readValue",
    "getWireFormatVersion",
    "transferArrayBuffer",
    "readUint32",
    "readUint64",
    "readDouble",
    "_readRawBytes",
  ]),
});

const encodeIntoResults = new Uint32Array(2);

export const encoding = (): Binding => ({
  encodeIntoResults,
  encodeInto(text: string, into: Uint8Array): void {
    native["encoding"].encodeInto(text, into);
    encodeIntoResults.set(native["encoding"].encodeIntoResults);
  },
  ...lateAll(["encodeUtf8String", "decodeUTF8"], "encoding"),
  toASCII: (domain: string) => call("domainToAscii", domain),
  toUnicode: (domain: string) => call("domainToUnicode", domain),
});
