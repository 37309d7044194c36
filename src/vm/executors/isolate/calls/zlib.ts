// Compression: streams of the cell's own Node, whose work is done on its thread pool.
import { KernelError } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { type Arguments, int, list, maybe, text } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";
import { callableOf, findBinding } from "../node-internals.ts";
import { CompressionStream, place, type StreamFailure } from "./compression-stream.ts";

/** Streams that one process may have open. */
const STREAM_LIMIT = 4096;

export const zlibCalls: Calls = {
  /** Class, mode, arguments of init: [id] or an error. */
  zlibNew(guest, args) {
    const open = openStreams(guest);
    if (open.size >= STREAM_LIMIT) throw new KernelError("ENOMEM");
    const binding = findBinding("zlib");
    if (binding === undefined) throw new KernelError("ENOSYS", "zlib");
    const name = text(args, 0);
    const mode = int(args, 1);
    const init = initArguments(name, mode, list(args, 2));
    const handle: object = Reflect.construct(callableOf(binding, name), [mode]);
    const stream = new CompressionStream(handle);
    try {
      stream.init(init);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof KernelError) throw error;
      const code: unknown = "code" in error ? error.code : undefined;
      return { thrown: [error.name, error.message, typeof code === "string" ? code : undefined] };
    }
    const id = guest.objects.add(stream);
    if (id === undefined) throw new KernelError("ENOMEM");
    open.add(id);
    return { id };
  },
  /** id, flush, the input or undefined for the rest of the last one, room for output. */
  async zlibWrite(guest, args) {
    const input = args[2];
    if (input !== undefined && input !== null && !(input instanceof Uint8Array))
      throw new KernelError("EINVAL");
    const stream = streamAt(guest, args);
    const [flush, room] = [flushOf(args), int(args, 3)];
    const { pool, account, requests } = guest;
    const { availOut, availIn, output, failure } = await pool.compression.run(
      account,
      requests.signalOf(args),
      () => stream.write(flush, input, room),
    );
    return failure === undefined ? [availOut, availIn, output] : packFailure(failure);
  },
  zlibParams: (guest, args) =>
    packFailure(
      streamAt(guest, args).params(inRange(int(args, 1), -1, 9), inRange(int(args, 2), 0, 4)),
    ),
  zlibReset: (guest, args) => packFailure(streamAt(guest, args).reset()),
  zlibClose(guest, args) {
    const id = int(args, 0);
    const stream = guest.objects.get(id);
    if (!(stream instanceof CompressionStream)) return undefined;
    stream.close();
    guest.objects.delete(id);
    openStreams(guest).delete(id);
    return undefined;
  },
};

function openStreams(guest: Guest): Set<number> {
  const known = guest.state.get("zlib");
  if (known instanceof Set) return known;
  const made = new Set<number>();
  guest.state.set("zlib", made);
  return made;
}

function streamAt(guest: Guest, args: Arguments): CompressionStream {
  const stream = guest.objects.get(int(args, 0));
  if (!(stream instanceof CompressionStream)) throw new KernelError("EBADF");
  return stream;
}

function packFailure(failure: StreamFailure | undefined): Packed {
  return failure === undefined ? undefined : { failed: [...failure] };
}

/** Z_NO_FLUSH to Z_BLOCK; Brotli and Zstandard have their own of the same numbers. */
function flushOf(args: Arguments): number {
  return inRange(int(args, 1), 0, 5);
}

function inRange(value: number, least: number, most: number): number {
  if (value < least || value > most) throw new KernelError("EINVAL");
  return value;
}

const mode = {
  none: 0,
  deflate: 1,
  inflate: 2,
  gunzip: 4,
  unzip: 7,
  brotliDecode: 8,
  brotliEncode: 9,
  zstdDecompress: 11,
} as const;
const PARAMETERS_LIMIT = 2048;

/** What init takes after its parameters, with places for the state and the callback. */
export type InitArguments = readonly unknown[];

function initArguments(name: string, given: number, args: Arguments): InitArguments {
  if (name === "Zlib") return zlibArguments(inRange(given, mode.deflate, mode.unzip), args);
  if (name === "BrotliDecoder" || name === "BrotliEncoder") {
    inRange(given, mode.brotliDecode, mode.brotliEncode);
    const [parameters, dictionary] = [parametersOf(args, 0), bytesAt(args, 1)];
    return [parameters, place.state, place.callback, dictionary];
  }
  if (name !== "ZstdCompress" && name !== "ZstdDecompress") throw new KernelError("EINVAL");
  inRange(given, mode.none, mode.zstdDecompress);
  const pledged = args[1];
  if (typeof pledged === "object" && pledged !== null) throw new KernelError("EINVAL");
  return [
    parametersOf(args, 0),
    pledged,
    place.state,
    place.callback,
    bytesAt(args, 2),
    args[3] === true,
  ];
}

function zlibArguments(given: number, args: Arguments): InitArguments {
  const isInflating = given === mode.inflate || given === mode.gunzip || given === mode.unzip;
  const windowBits = int(args, 0);
  if (windowBits !== 0 || !isInflating) inRange(windowBits, 8, 15);
  const level = inRange(int(args, 1), -1, 9);
  const memLevel = inRange(int(args, 2), 1, 9);
  const strategy = inRange(int(args, 3), 0, 4);
  const dictionary = bytesAt(args, 4);
  return [
    windowBits,
    level,
    memLevel,
    strategy,
    place.state,
    place.callback,
    dictionary,
    args[5] === true,
  ];
}

function bytesAt(args: Arguments, at: number): Buffer | undefined {
  const value = maybe((all, index) => all[index], args, at);
  if (value === undefined) return undefined;
  if (!(value instanceof Uint8Array)) throw new KernelError("EINVAL");
  return Buffer.from(value);
}

function parametersOf(args: Arguments, at: number): Uint32Array {
  const values = list(args, at);
  if (values.length > PARAMETERS_LIMIT) throw new KernelError("EINVAL");
  return Uint32Array.from(values, (value) => Number(value));
}
