// Whole files, waited for: small ones in one call, others in pieces.
import { CallError, call } from "../../channel.ts";
import { CONTENT_BYTES } from "../../wire/layout.ts";
import type { Packed } from "../../wire/pack.ts";
import { PIECE_BYTES, Source, writeNow } from "./write-bytes.ts";

const SMALL_BYTES = 1 << 20;

/** All there is from the fd's place on, behind what was read already. */
export function readRest(fd: number, first?: Uint8Array): Uint8Array {
  const parts = first === undefined ? [] : [first];
  for (;;) {
    const data: Uint8Array = inStep("read", () => call("read", fd, CONTENT_BYTES, null));
    if (data.length === 0) return join(parts);
    parts.push(data.slice());
  }
}

/** All of a file. A CallError names in its detail the step that failed. */
export function readWhole(path: Packed, flags: number): Uint8Array {
  const [data, fd]: [Uint8Array | null, number] = call("readFile", path, flags, SMALL_BYTES);
  if (fd < 0) return data ?? new Uint8Array();
  try {
    return readRest(fd, data?.slice());
  } finally {
    call("close", fd);
  }
}

interface Target {
  readonly path: Packed;
  readonly flags: number;
  readonly mode: number;
}

/** Writes all of it to a file. */
export function writeWhole({ path, flags, mode }: Target, data: Uint8Array): void {
  if (data.length <= PIECE_BYTES) {
    call("writeFile", path, data, flags, mode);
    return;
  }
  const fd: number = inStep("open", () => call("open", path, flags, mode));
  try {
    writeAllTo(fd, data);
  } finally {
    call("close", fd);
  }
}

export function writeAllTo(fd: number, data: Uint8Array): void {
  let at = 0;
  do {
    at += inStep("write", () => writeNow(fd, new Source([data.subarray(at)], null)));
  } while (at < data.length);
}

function inStep<Value>(syscall: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (error instanceof CallError) throw new CallError(error.code, syscall, error.reason);
    throw error;
  }
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] ?? new Uint8Array();
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
