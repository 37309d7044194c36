// What Node's C++ checks itself: fds, modes, paths.
import { codedError } from "../../errors.ts";
import type { Packed } from "../../wire/pack.ts";
import { bytesOf } from "../buffer.ts";
import { loaders } from "../builtins.ts";

const INT32_MAX = 2 ** 31 - 1;

/** An fd, as node::GetValidatedFd. */
export function checkFd(fd: unknown): number {
  if (typeof fd !== "number") {
    const { determineSpecificType } = loaders.require("internal/errors");
    const words = `The "fd" argument must be of type number. Received ${received(fd, determineSpecificType)}`;
    throw codedError(TypeError as ErrorConstructor, "ERR_INVALID_ARG_TYPE", words);
  }
  const isOut = fd < 0 || fd > INT32_MAX;
  if (!isOut && Number.isInteger(fd)) return fd;
  const isBeyond = isOut && Number.isFinite(fd);
  const must = isBeyond ? `>= 0 && <= ${INT32_MAX}` : "an integer";
  const words = `The value of "fd" is out of range. It must be ${must}. Received ${fd}`;
  throw codedError(RangeError as ErrorConstructor, "ERR_OUT_OF_RANGE", words);
}

function received(value: unknown, describe: unknown): string {
  return typeof describe === "function" ? describe(value) : String(value);
}

/** A mode for access or copyFile, as node::GetValidFileMode: 0 to 7. */
export function checkMode(mode: unknown): number {
  if (mode === undefined || mode === null) return 0;
  if (typeof mode !== "number") {
    throw codedError(
      TypeError as ErrorConstructor,
      "ERR_INVALID_ARG_TYPE",
      "mode must be int32 or null/undefined",
    );
  }
  const whole = Math.trunc(mode);
  if (!Number.isFinite(mode)) throw outOfRange("mode is out of range");
  if (whole < 0 || whole > 7) throw outOfRange("mode is out of range: >= 0 && <= 7");
  return whole;
}

function outOfRange(words: string): Error {
  return codedError(RangeError as ErrorConstructor, "ERR_OUT_OF_RANGE", words);
}

/** A path as the kernel takes it: text, or the bytes of a buffer. */
export function pathOf(path: unknown): Packed {
  if (typeof path === "string") return path;
  if (ArrayBuffer.isView(path)) return bytesOf(path);
  return String(path);
}

/** A place in a file; null where it is the file's own. */
export function offsetOf(position: unknown): number | null {
  if (typeof position === "bigint") return position < 0n ? null : within(Number(position));
  if (typeof position !== "number" || !Number.isSafeInteger(position) || position < 0) return null;
  return within(position);
}

/** Beyond every file: what a double still counts exactly, with room for a length behind it. */
const LAST_OFFSET = Number.MAX_SAFE_INTEGER - INT32_MAX;

function within(offset: number): number {
  return Math.min(offset, LAST_OFFSET);
}
