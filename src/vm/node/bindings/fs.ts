import { call, CallError } from "../channel.ts";
import { uvException } from "../errors.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { bytesOf } from "./buffer.ts";

const values = staticsOf("fs");
const statValues: Float64Array = values["statValues"];

export const fs = (): Binding => ({
  ...values,
  statValues,
  internalModuleStat: (first: unknown, second?: string) =>
    call("moduleStat", typeof first === "string" ? first : second),
  readFileUtf8: (path: string | number) => guarded("open", path, () => call("readFileText", path)),
  open: (path: string, flags: number, mode: number) =>
    guarded("open", path, () => call("open", path, flags, mode)),
  close: (fd: number) => guarded("close", undefined, () => call("close", fd)),
  fstat: (fd: number) => stat("fstat", fd),
  stat: (path: string) => stat("stat", path),
  lstat: (path: string) => stat("lstat", path),
  existsSync: (path: string) => call("moduleStat", path) >= 0,
  writeString: (fd: number, text: string) =>
    guarded("write", undefined, () => call("writeText", fd, text)),
  writeBuffer: (fd: number, buffer: ArrayBufferView, offset: number, length: number) =>
    guarded("write", undefined, () =>
      call("write", fd, bytesOf(buffer).subarray(offset, offset + length), null),
    ),
  getFormatOfExtensionlessFile: () => 0,
  legacyMainResolve: () => 0,
  FSReqCallback: class FSReqCallback {},
  FileHandle: class FileHandle {},
  StatWatcher: class StatWatcher {},
});

function stat(name: string, subject: string | number): Float64Array {
  return guarded(name, typeof subject === "string" ? subject : undefined, () => {
    const bytes: Uint8Array = call(name, subject);
    statValues.set(new Float64Array(bytes.slice().buffer));
    return statValues;
  });
}

/** Calls the kernel; an errno becomes the error Node throws. */
function guarded<Value>(syscall: string, path: string | number | undefined, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw uvException(error.code, { syscall, path: typeof path === "string" ? path : undefined });
  }
}
