// Runs small processes while the snapshot is made, in a context that is thrown away: V8 keeps the bytecode
// of every function that ran, so that processes do not compile them again. A kernel and native functions
// that know just enough stand in for the real ones. The build fails when a process does not reach its end.
import type { prepare } from "./boot/start.ts";
import { CONTROL_BYTES, MESSAGE_LIMIT_BYTES, turn, WINDOW_BYTES, word } from "./wire/layout.ts";
import { type Packed, Packer, type TextCodec, Unpacker } from "./wire/pack.ts";

declare const __guest: { readonly prepare: typeof prepare; readonly start: () => void };

/** What the file that the process runs as its second main script says. */
const main = `module.exports = require("path").join(__dirname, "b");`;

const code = `
const fs = require("fs"), path = require("path"), util = require("util");
console.log(1, "two", { three: [4] });
console.error(util.inspect(new Map([[1, new Error("five")]])));
fs.readFileSync(path.join("/", "home", "user", "a.js"), "utf8");
fs.existsSync("a.js");
fs.statSync("a.js");
require("module").runMain("/home/user/a.js");
require("/home/user/c.js");
`;

const ascii: TextCodec = {
  write(into, text, at) {
    for (let index = 0; index < text.length; index += 1) into[at + index] = text.charCodeAt(index);
    return text.length;
  },
  read: (from, start, end) => String.fromCharCode(...from.subarray(start, end)),
};

const encode = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length);
  ascii.write(bytes, text, 0);
  return bytes;
};

/** Of a regular file, as pack-stat.ts lays it out: device, mode, links, … */
function statBytes(mode: number): Uint8Array {
  const fields = new Float64Array(18);
  fields[1] = mode;
  fields[8] = main.length;
  return new Uint8Array(fields.buffer);
}

const file = 0o100644;
const directory = 0o040755;

/** Stands for a file that is not there. */
const refused: Packed = ["ENOENT", undefined];

/** What the kernel answers. */
const answers: Record<string, (...args: any[]) => Packed> = {
  cwd: () => "/home/user",
  urlFromPath: (path: string) => [
    `file://${path}`,
    5,
    7,
    7,
    7,
    2 ** 32 - 1,
    7,
    2 ** 32 - 1,
    2 ** 32 - 1,
    6,
  ],
  urlParse: (url: string) => [url, 5, 5, 5, 5, 2 ** 32 - 1, 5, 2 ** 32 - 1, 2 ** 32 - 1, 1],
  handleKind: () => "PIPE",
  writeAll: (_fd, bytes: Uint8Array) => bytes.length,
  moduleStat: (path: string) => (path.endsWith(".js") ? 0 : 1),
  lstat: (path: string) => statBytes(path.endsWith(".js") ? file : directory),
  stat: () => statBytes(file),
  fstat: () => statBytes(file),
  access: () => undefined,
  readFile: () => [encode(main), -1, 0],
  open: () => 3,
  read: () => encode(main),
  close: () => null,
  readWhole: () => refused,
  uname: () => ({
    sysname: "Linux",
    nodename: "vm",
    release: "6.12.0",
    version: "#1",
    machine: "x86_64",
  }),
};

const nothing = (): undefined => undefined;

/** A group of native functions, of which only these are known to do anything. */
const group = (known: object): object =>
  new Proxy(known, { get: (target, name) => Reflect.get(target, name) ?? nothing });

/** Its place among a script's arguments behind the text. */
const HOST_OPTION = 6;
let symbols: Record<string, symbol> = {};

class Script {
  readonly #code: string;

  constructor(text: string, ...rest: unknown[]) {
    this.#code = text;
    Reflect.set(this, symbols["host_defined_option_symbol"] ?? "", rest[HOST_OPTION]);
  }

  runInContext(): unknown {
    // oxlint-disable-next-line no-eval -- the text is the one above
    return (0, eval)(this.#code);
  }
}

let nanoseconds = 0n;
const native = {
  setSymbols(all: Record<string, symbol>): void {
    symbols = all;
  },
  setContextCleanup: nothing,
  setEmitWarning: nothing,
  setPrepareStackTraceCallback: nothing,
  setDataCloneError: nothing,
  setPromiseRejectCallback: nothing,
  setUncaughtCallback: nothing,
  setStackLimit: nothing,
  limitHeap: nothing,
  setTimeZone: nothing,
  setLanguage: nothing,
  currentCore: () => 0,
  yieldCore: nothing,
  setInitializeImportMetaObjectCallback: nothing,
  setImportModuleDynamicallyCallback: nothing,
  setImportMetaResolveInitializer: nothing,
  runMicrotasks: nothing,
  containsModuleSyntax: () => false,
  hrtime: () => (nanoseconds += 1000n),
  callCatching(run: () => void): readonly [unknown, string] | undefined {
    run();
    return undefined;
  },
  getOwnNonIndexProperties: (value: object) => Reflect.ownKeys(value),
  getProxyDetails: nothing,
  previewEntries: (value: Map<unknown, unknown>) => [[...value].flat(), true],
  ContextifyScript: Script,
  compileFunctionForCJSLoader: (text: string) => ({
    canParseAsESM: false,
    // oxlint-disable-next-line typescript/no-implied-eval -- the text is the one above
    function: new Function("exports", "require", "module", "__filename", "__dirname", text),
  }),
  encoding: group({ encodeUtf8String: encode }),
  buffer: group({
    utf8WriteStatic: (into: Uint8Array, text: string, at = 0) => ascii.write(into, text, at),
    utf8Slice: (from: Uint8Array, start = 0, end = from.length) => ascii.read(from, start, end),
    byteLengthUtf8: (text: string) => text.length,
  }),
};

class Ended {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** A process from its start to its end. */
function rehearse(...argv: readonly string[]): void {
  const shared = new ArrayBuffer(CONTROL_BYTES + WINDOW_BYTES);
  const words = new Int32Array(shared, 0, CONTROL_BYTES / 4);
  const window = new Uint8Array(shared, CONTROL_BYTES);
  const init = { argv, execPath: "/usr/bin/node", env: [["HOME", "/home/user"]], pid: 2, now: 1 };
  const ring = (): void => {
    const call = new Unpacker(window.slice(0, words[word.length]), ascii);
    const name = call.read() as string;
    const args: Packed[] = [];
    while (!call.isAtEnd) args.push(call.read());
    if (name === "exit") throw new Ended(args[0] as number);
    const answer = name === "init" ? () => init : answers[name];
    if (answer === undefined) throw new Error(`a rehearsed process calls ${name}`);
    const packer = new Packer(window, ascii, MESSAGE_LIMIT_BYTES);
    const value = answer(...args);
    packer.write(value);
    words[word.length] = packer.finish().length;
    words[word.more] = 0;
    words[word.failed] = value === refused ? 1 : 0;
    Atomics.store(words, word.turn, turn.guest);
  };
  __guest.prepare(shared as unknown as SharedArrayBuffer, ring, native);
  try {
    __guest.start();
  } catch (error) {
    if (error instanceof Ended && error.status === 0) return;
    throw error;
  }
  throw new Error("a rehearsed process does not end");
}

rehearse("node", "-e", code);
