/** An archive's bytes: a file or a pipe, through a compressor where it has one. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { ByteReader, type ByteStream, readStream } from "../archive/byte-reader.ts";
import { bunzip2, bzip2, isBzip2 } from "../archive/bzip2-format.ts";
import { gunzip, gzip, isGzip } from "../archive/gzip-format.ts";
import { isXz, unxz, xz, xzLevel } from "../archive/xz-format.ts";
import { isZstd, unzstd, zstd } from "../archive/zstd-format.ts";
import { Output } from "../output.ts";
import { errorWords } from "../program.ts";
import { ArchiveError } from "./read-members.ts";

export type ArchiveCompression = "none" | "gzip" | "bzip2" | "xz" | "zstd";

/** By the name's suffix, for `-a`. */
export function compressionOf(name: string): ArchiveCompression {
  if (/\.(?:gz|tgz|taz)$/.test(name)) return "gzip";
  if (/\.(?:bz2|tbz2?|tz2)$/.test(name)) return "bzip2";
  if (/\.(?:xz|txz)$/.test(name)) return "xz";
  return /\.(?:zst|tzst)$/.test(name) ? "zstd" : "none";
}

const options: Readonly<Record<ArchiveCompression, string>> = {
  none: "",
  gzip: "-z",
  bzip2: "-j",
  xz: "-J",
  zstd: "--zstd",
};

/** Opens an archive's file; `-` is the standard one. Fails with an ArchiveError. */
export async function openArchive(sys: Sys, name: string, isWritten: boolean): Promise<number> {
  if (name === "-") return isWritten ? 1 : 0;
  try {
    const flags = isWritten ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY;
    return await sys.open(name, flags | O_CLOEXEC, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new ArchiveError(`${name}: Cannot open: ${errorWords(error)}`);
  }
}

/** The archive's bytes, decompressed. Fails with an ArchiveError. */
export async function readArchive(
  sys: Sys,
  fd: number,
  compression: ArchiveCompression,
): Promise<ByteReader> {
  const raw = new ByteReader(readStream(sys, fd));
  const { kind } = await sys.fstat(fd);
  const found = detect(await raw.peek(6));
  if (compression === "none" && found !== "none" && kind !== "file")
    throw new ArchiveError(`Archive is compressed. Use ${options[found]} option`);
  const chosen = compression === "none" ? found : compression;
  return chosen === "none" ? raw : new ByteReader(decompress(sys, raw.rest(), chosen));
}

function detect(bytes: Uint8Array): ArchiveCompression {
  if (isGzip(bytes)) return "gzip";
  if (isBzip2(bytes)) return "bzip2";
  if (isXz(bytes)) return "xz";
  return isZstd(bytes) ? "zstd" : "none";
}

function decompress(
  sys: Sys,
  stream: ByteStream,
  compression: Exclude<ArchiveCompression, "none">,
): ByteStream {
  switch (compression) {
    case "gzip":
      return gunzip(stream);
    case "bzip2":
      return bunzip2(sys, stream);
    case "xz":
      return unxz(stream);
    case "zstd":
      return unzstd(stream);
  }
}

function compress(
  sys: Sys,
  stream: ByteStream,
  compression: Exclude<ArchiveCompression, "none">,
): ByteStream {
  switch (compression) {
    case "gzip":
      return gzip(stream, { level: 6 });
    case "bzip2":
      return bzip2(sys, stream, 9);
    case "xz":
      return xz(stream, { level: xzLevel(6), check: "crc64" });
    case "zstd":
      return zstd(stream, 3);
  }
}

/** Writes what a stream gives to a fd. */
export async function writeArchive(
  sys: Sys,
  fd: number,
  stream: ByteStream,
  compression: ArchiveCompression,
): Promise<void> {
  const made = compression === "none" ? stream : compress(sys, stream, compression);
  const output = new Output(sys, fd);
  for (let next = await made.next(); next.done !== true; next = await made.next())
    await output.write(next.value);
  await output.flush();
}

/** What tar says when its compressor fails, in the compressor's words. */
export function compressorFailure(compression: ArchiveCompression, message: string): string {
  const said =
    compression === "gzip"
      ? `\ngzip: stdin: ${message}`
      : compression === "xz"
        ? `xz: (stdin): ${message}`
        : compression === "bzip2"
          ? `bzip2: (stdin) ${message}`
          : `zstd: /*stdin*\\: ${message} `;
  return `${said}\n`;
}
