// llhttp, the parser of Node itself: undici brings it as WebAssembly. One instance serves all parsers.
import { call } from "../../channel.ts";
import { native } from "../../native.ts";

/** The isolate's own; TypeScript knows it only with the DOM. */
declare const WebAssembly: any;

/** What parsers get from llhttp; each answers 0 to go on, or an error's number. */
export interface Events {
  messageBegin(): number;
  url(at: number, length: number): number;
  /** The status line's words; after the headers, a chunk's extension. */
  status(at: number, length: number): number;
  headerField(at: number, length: number): number;
  headerValue(at: number, length: number): number;
  headersComplete(statusCode: number, isUpgrade: boolean, isKeptAlive: boolean): number;
  body(at: number, length: number): number;
  messageComplete(): number;
}

type Export = (...args: number[]) => number;

export interface Llhttp {
  readonly exports: Readonly<Record<string, Export>>;
  readonly settings: number;
  /** The present memory: it moves when it grows. */
  memory(): Uint8Array;
  /** The text that ends with NUL. */
  text(pointer: number): string;
  /** A text that stays, as a pointer. */
  keep(text: string): number;
}

/** Those whose bytes are being parsed, the innermost last. */
export const running: Events[] = [];

let instance: Llhttp | undefined;

/** Made when the first parser needs it. */
export function llhttp(): Llhttp {
  instance ??= load();
  return instance;
}

function load(): Llhttp {
  const module = new WebAssembly.Module(call("llhttp").slice());
  const { exports } = new WebAssembly.Instance(module, { env: imports() });
  const functions = exports as unknown as Record<string, Export>;
  const wasmMemory = exports["memory"] as { readonly buffer: ArrayBuffer };
  functions["_initialize"]?.();
  const memory = (): Uint8Array => new Uint8Array(wasmMemory.buffer);
  const kept = new Map<string, number>();
  return {
    exports: functions,
    settings: makeSettings(functions, memory),
    memory,
    text(pointer) {
      if (pointer === 0) return "";
      const bytes = memory();
      return native["buffer"].latin1Slice(bytes, pointer, bytes.indexOf(0, pointer));
    },
    keep(text) {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const pointer = functions["malloc"]?.(text.length + 1) ?? 0;
      const bytes = memory();
      for (let index = 0; index < text.length; index += 1)
        bytes[pointer + index] = text.charCodeAt(index);
      bytes[pointer + text.length] = 0;
      kept.set(text, pointer);
      return pointer;
    },
  };
}

function imports(): Record<string, (...args: number[]) => number> {
  const now = (): Events => running[running.length - 1] as Events;
  return {
    wasm_on_message_begin: () => now().messageBegin(),
    wasm_on_url: (_, at = 0, length = 0) => now().url(at, length),
    wasm_on_status: (_, at = 0, length = 0) => now().status(at, length),
    wasm_on_header_field: (_, at = 0, length = 0) => now().headerField(at, length),
    wasm_on_header_value: (_, at = 0, length = 0) => now().headerValue(at, length),
    wasm_on_headers_complete: (_, statusCode = 0, upgrade, keepAlive) =>
      now().headersComplete(statusCode, upgrade !== 0, keepAlive !== 0),
    wasm_on_body: (_, at = 0, length = 0) => now().body(at, length),
    wasm_on_message_complete: () => now().messageComplete(),
  };
}

/** Places in llhttp_settings_t. */
const settingsAt = {
  messageBegin: 0,
  status: 3,
  chunkExtensionName: 8,
  chunkExtensionValue: 9,
  chunkHeader: 22,
  chunkComplete: 23,
  count: 25,
} as const;
/** Where llhttp_t points at its settings, in words. */
const SETTINGS_WORD = 14;

/**
 * undici's settings, and with them what it does not listen to: chunks and their extensions. Their callbacks
 * are those of the first line, which cannot come at the same time.
 */
function makeSettings(functions: Record<string, Export>, memory: () => Uint8Array): number {
  const pointer = functions["malloc"]?.(settingsAt.count * 4) ?? 0;
  const parser = functions["llhttp_alloc"]?.(1) ?? 0;
  const words = new Uint32Array(memory().buffer);
  const from = (words[parser / 4 + SETTINGS_WORD] ?? 0) / 4;
  words.copyWithin(pointer / 4, from, from + settingsAt.count);
  const own = words.subarray(pointer / 4, pointer / 4 + settingsAt.count);
  own[settingsAt.chunkExtensionName] = own[settingsAt.status] ?? 0;
  own[settingsAt.chunkExtensionValue] = own[settingsAt.status] ?? 0;
  own[settingsAt.chunkHeader] = own[settingsAt.messageBegin] ?? 0;
  own[settingsAt.chunkComplete] = own[settingsAt.messageBegin] ?? 0;
  functions["llhttp_free"]?.(parser);
  return pointer;
}
