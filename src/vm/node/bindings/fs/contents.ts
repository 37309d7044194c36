// Opening, reading and writing files: node_file.cc's functions of these names.
import { CallError, call } from "../../channel.ts";
import { encodeUtf8 } from "../../native.ts";
import { bytesOf, encode } from "../buffer.ts";
import { checkFd, offsetOf, pathOf } from "./check-arguments.ts";
import { textOf } from "./encode-name.ts";
import { FileHandle } from "./file-handle.ts";
import { type Any, perform, report, syncExceptionOf } from "./operation.ts";
import { readInto } from "./read-into.ts";
import { readRest, readWhole, writeAllTo, writeWhole } from "./whole-files.ts";
import { Source, writeBytes, writeNow } from "./write-bytes.ts";

export const contents = {
  open: (path: Any, flags: Any, mode: Any, req: Any) =>
    perform(req, { call: "open", args: [pathOf(path), flags, mode], syscall: "open", path }),
  openFileHandle: (path: Any, flags: Any, mode: Any, req: Any) =>
    perform(req, {
      call: "open",
      args: [pathOf(path), flags, mode],
      syscall: "open",
      path,
      result: (fd: number) => new FileHandle(fd),
    }),
  close: (fd: Any, req: Any) =>
    perform(req, { call: "close", args: [checkFd(fd)], syscall: "close" }),
  fsync: (fd: Any, req: Any) =>
    perform(req, { call: "fsync", args: [checkFd(fd)], syscall: "fsync" }),
  fdatasync: (fd: Any, req: Any) =>
    perform(req, { call: "fsync", args: [checkFd(fd)], syscall: "fdatasync" }),
  ftruncate: (fd: Any, length: Any, req: Any) =>
    perform(req, { call: "ftruncate", args: [checkFd(fd), length], syscall: "ftruncate" }),
  read: (fd: Any, buffer: Any, offset: Any, length: Any, position: Any, req: Any) => {
    const into = bytesOf(buffer).subarray(Number(offset), Number(offset) + length);
    return readInto(req, checkFd(fd), [into], offsetOf(position));
  },
  readBuffers: (fd: Any, buffers: Any[], position: Any, req: Any) =>
    readInto(req, checkFd(fd), buffers.map(bytesOf), offsetOf(position)),
  writeBuffer: (
    fd: Any,
    buffer: Any,
    offset: Any,
    length: Any,
    position: Any,
    req: Any,
    context: Any,
  ) => {
    const start = Number(offset ?? 0);
    const data = bytesOf(buffer).subarray(start, start + length);
    return writeReporting({ req, context }, checkFd(fd), [data], offsetOf(position));
  },
  writeBuffers: (fd: Any, buffers: Any[], position: Any, req: Any) =>
    writeBytes(req, checkFd(fd), buffers.map(bytesOf), offsetOf(position)),
  writeString: (fd: Any, text: Any, position: Any, encoding: Any, req: Any, context: Any) =>
    writeReporting({ req, context }, checkFd(fd), [encodeText(text, encoding)], offsetOf(position)),
  readFileUtf8: (path: Any, flags: Any) => {
    try {
      return textOf(typeof path === "number" ? readRest(path) : readWhole(pathOf(path), flags));
    } catch (error) {
      throw named(error, path);
    }
  },
  writeFileUtf8: (path: Any, text: Any, flags: Any, mode: Any) => {
    const data = typeof text === "string" ? encodeUtf8(text) : bytesOf(text);
    try {
      if (typeof path === "number") writeAllTo(path, data);
      else writeWhole({ path: pathOf(path), flags, mode }, data);
    } catch (error) {
      throw named(error, path);
    }
  },
  getFormatOfExtensionlessFile: (path: Any) => {
    const [first, second, third, fourth] = call("readStart", pathOf(path), 4);
    return first === 0 && second === 0x61 && third === 0x73 && fourth === 0x6d ? 1 : 0;
  },
};

const encodings = new Set(
  "ascii latin1 binary base64 base64url hex ucs2 ucs-2 utf16le utf-16le".split(" "),
);

/** Whatever is no encoding is UTF-8. */
function encodeText(text: string, encoding: unknown): Uint8Array {
  const name = typeof encoding === "string" ? encoding.toLowerCase() : "utf8";
  return encode(text, encodings.has(name) ? name : "utf8");
}

/** Writes; a failure goes into `context`, where lib gave one. */
function writeReporting(
  { req, context }: { readonly req: Any; readonly context: Any },
  fd: number,
  parts: readonly Uint8Array[],
  offset: number | null,
): unknown {
  if (req !== undefined || context === undefined) return writeBytes(req, fd, parts, offset);
  try {
    return writeNow(fd, new Source(parts, offset));
  } catch (error) {
    return report(context, "write", error);
  }
}

/** A call of several steps says which of them failed; only opening names the path. */
function named(error: unknown, path: unknown): unknown {
  if (!(error instanceof CallError)) return error;
  const syscall = error.detail ?? "open";
  return syncExceptionOf(syscall === "open" ? { syscall, path } : { syscall }, error);
}
