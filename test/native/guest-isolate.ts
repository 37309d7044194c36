// An isolate with the guest's native module in it, and Node's own bindings to compare it with.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { prebuiltBinary } from "../../scripts/build-native.mjs";
import "../support/dist.ts";

const { default: ivm } = await import("#isolated-vm");

const fixtures = join(import.meta.dirname, "fixtures");

/** Node's symbols that the module is told of. */
const symbolNames = [
  "vm_dynamic_import_default_internal",
  "source_text_module_default_hdo",
  "vm_context_no_contextify",
  "vm_dynamic_import_main_context_default",
  "vm_dynamic_import_missing_flag",
  "vm_dynamic_import_no_callback",
  "imported_cjs_symbol",
];

const setUp = `
globalThis.symbols = {};
for (const name of ${JSON.stringify(symbolNames)}) symbols[name] = Symbol(name);
native.setSymbols(symbols);
native.setPromiseRejectCallback(() => {});
native.setInitializeImportMetaObjectCallback(() => {});
native.setImportModuleDynamicallyCallback(() => Promise.reject(new Error("no import")));
const { isArrayBufferView, isDataView, isTypedArray, isUint8Array, ...types } = native.types;
globalThis.bindings = {
  types,
  symbols,
  buffer: native.buffer,
  encoding: native.encoding,
  util: native,
  serdes: native,
  icu: native,
  contextify: native,
  moduleWrap: native,
  stringDecoder: { decode: native.stringDecoderDecode, flush: native.stringDecoderFlush },
};
`;

export class GuestIsolate implements Disposable {
  readonly #isolate = new ivm.Isolate({ memoryLimit: 256 });
  readonly #context = this.#isolate.createContextSync();

  constructor() {
    const made = new ivm.NativeModule(prebuiltBinary).createSync(this.#context);
    this.#context.global.setSync("native", made.derefInto());
    this.#context.evalSync(setUp);
  }

  /** What a script gives: something that can be copied. */
  run(script: string): unknown {
    return this.#context.evalSync(script, { copy: true });
  }

  /** What cases give in this isolate, one line for each. */
  runCases(name: string): string[] {
    const [cases, random, attempt] = [name, "random.cjs", "attempt.cjs"].map(readExpression);
    const lines = this.run(`JSON.stringify(${cases}(bindings, ${random}, ${attempt}()))`);
    return JSON.parse(String(lines));
  }

  [Symbol.dispose](): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }
}

/** What the same cases give with Node's own bindings. */
export async function runCasesInNode(name: string): Promise<string[]> {
  const script = join(fixtures, "run-in-node.cjs");
  const args = ["--expose-internals", "--no-warnings", script, name];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/** A fixture is one expression, so that it can be evaluated anywhere. */
export function readExpression(name: string): string {
  const text = readFileSync(join(fixtures, name), "utf8");
  return text
    .replace(/^\/\/.*$/gm, "")
    .trim()
    .replace(/;$/, "");
}
