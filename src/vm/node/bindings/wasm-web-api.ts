// WebAssembly's functions that answer later. V8's own hand their work to threads and to tasks of the isolate,
// which never get a turn while the isolate runs its event loop: here they compile in a turn of that loop.

import type { Binding } from "./base.ts";
import { loaders } from "./builtins.ts";
import { join } from "./fs/whole-files.ts";

type Any = any;
type Streamed = (streamState: StreamState, source: unknown) => void;

/** What lib/internal/wasm_web_api.js feeds with a Response's body. */
interface StreamState {
  push(chunk: ArrayBufferView | ArrayBuffer): void;
  setURL(url: string): void;
  finish(): void;
  abort(error: unknown): void;
}

let readSource: Streamed = () => undefined;

export const wasmWebApi = (): Binding => ({
  setImplementation(implementation: Streamed): void {
    readSource = implementation;
  },
});

/** Puts them in the place of V8's; before any guest code runs. */
export function installWebAssembly(): void {
  const { WebAssembly } = globalThis as Any;
  if (WebAssembly === undefined) return;
  for (const [name, answer] of Object.entries(functionsOf(WebAssembly))) {
    const value = { [name]: (source: unknown, ...rest: unknown[]) => answer(source, ...rest) }[
      name
    ];
    const attributes = { writable: true, enumerable: true, configurable: true };
    Object.defineProperty(WebAssembly, name, { value, ...attributes });
  }
}

function functionsOf({ Module, Instance, CompileError, LinkError }: Any): Record<string, Any> {
  const later = laterBy([CompileError, LinkError, TypeError]);
  const both = async (bytes: Any, imports: unknown, name: string): Promise<Any> => {
    const module = await later(name, () => new Module(bytes));
    return later(name, () => ({ module, instance: new Instance(module, imports) }));
  };
  return {
    async compile(source: unknown): Promise<Any> {
      const bytes = copyBytes(source, "WebAssembly.compile()");
      return later("WebAssembly.compile()", () => new Module(bytes));
    },
    async instantiate(source: unknown, imports?: unknown): Promise<Any> {
      const name = "WebAssembly.instantiate()";
      checkImports(imports, name);
      if (source instanceof Module) return later(name, () => new Instance(source, imports));
      return both(copyBytes(source, name), imports, name);
    },
    async compileStreaming(source: unknown): Promise<Any> {
      const bytes = await readAll(source);
      return later("WebAssembly.compileStreaming()", () => new Module(bytes));
    },
    async instantiateStreaming(source: unknown, imports?: unknown): Promise<Any> {
      const name = "WebAssembly.instantiateStreaming()";
      checkImports(imports, name);
      return both(await readAll(source), imports, name);
    },
  };
}

/** Runs something in a later turn, as the function of this name: V8's errors name the constructor. */
function laterBy(kinds: readonly Any[]): (name: string, run: () => Any) => Promise<Any> {
  const { setImmediate } = loaders.require("timers");
  return (name, run) =>
    new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          resolve(run());
        } catch (error) {
          reject(renamed(error, name, kinds));
        }
      });
    });
}

function checkImports(imports: unknown, name: string): void {
  if (imports === undefined || (typeof imports === "object" && imports !== null)) return;
  if (typeof imports === "function") return;
  throw new TypeError(`${name}: Argument 1 must be an object`);
}

/** The bytes as they are now: the caller may change them while the promise waits. */
function copyBytes(source: unknown, name: string): Uint8Array {
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  if (source instanceof ArrayBuffer || source instanceof SharedArrayBuffer)
    return new Uint8Array(source).slice();
  throw new TypeError(`${name}: Argument 0 must be a buffer source`);
}

/** The same error under the name of the function that was called. */
function renamed(error: unknown, name: string, kinds: readonly Any[]): Error {
  const known = error as Error;
  const Kind = kinds.find((one) => error instanceof one);
  const match = Kind && /^WebAssembly\.(?:Module|Instance)\(\)/.exec(known.message);
  return match ? new Kind(name + known.message.slice(match[0].length)) : known;
}

function readAll(source: unknown): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const state: StreamState = {
      push: (chunk) => void chunks.push(copyBytes(chunk, "WebAssembly.compileStreaming()")),
      setURL: () => undefined,
      finish: () => resolve(join(chunks)),
      abort: reject,
    };
    readSource(state, source);
  });
}
