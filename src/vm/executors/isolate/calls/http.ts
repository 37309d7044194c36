// What HTTP needs of the kernel's side: llhttp, which Node's undici holds as WebAssembly.
import { KernelError } from "../../../../kernel/index.ts";
import type { Builtins } from "../builtins.ts";
import type { Calls } from "../guest.ts";

const undici = "internal/deps/undici/undici";

const modules = new WeakMap<Builtins, Uint8Array>();

export const httpCalls: Calls = {
  /** The bytes of the WebAssembly module. */
  llhttp({ builtins }) {
    const module = modules.get(builtins) ?? findLlhttp(builtins.find(undici) ?? "");
    modules.set(builtins, module);
    return module;
  },
};

/** The last of those in undici's source is the one that uses SIMD, as undici itself prefers it. */
function findLlhttp(source: string): Uint8Array {
  const found = [...source.matchAll(/["'](AGFzbQ[A-Za-z0-9+/=]+)["']/g)];
  const encoded = found.at(-1)?.[1];
  if (encoded === undefined) throw new KernelError("ENOSYS", "llhttp");
  return Buffer.from(encoded, "base64");
}
