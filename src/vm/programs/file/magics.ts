/** Kinds of files that their first bytes tell. */

export interface Magic {
  readonly text: string;
  readonly mime: string;
}

interface MagicRow {
  /** Latin-1, at `at`. */
  readonly start: string;
  readonly at?: number;
  readonly describe: (bytes: DataView, head: string) => Magic;
}

function fixed(text: string, mime: string): () => Magic {
  return () => ({ text, mime });
}

const rows: readonly MagicRow[] = [
  { start: "\u0089PNG\r\n\u001a\n", describe: describePng },
  { start: "\u00ff\u00d8\u00ff", describe: describeJpeg },
  { start: "GIF8", describe: describeGif },
  {
    start: "%PDF-",
    describe: (_, head) => ({
      text: `PDF document, version ${head.slice(5, 8)}`,
      mime: "application/pdf",
    }),
  },
  { start: "PK\u0003\u0004", describe: describeZip },
  { start: "PK\u0005\u0006", describe: fixed("Zip archive data (empty)", "application/zip") },
  { start: "\u001f\u008b", describe: describeGzip },
  {
    start: "BZh",
    describe: (_, head) => ({
      text: `bzip2 compressed data, block size = ${head.slice(3, 4)}00k`,
      mime: "application/x-bzip2",
    }),
  },
  { start: "\u00fd7zXZ\0", describe: describeXz },
  {
    start: "\u0028\u00b5\u002f\u00fd",
    describe: fixed("Zstandard compressed data (v0.8+), Dictionary ID: None", "application/zstd"),
  },
  {
    start: "7z\u00bc\u00af\u0027\u001c",
    describe: fixed("7-zip archive data, version 0.4", "application/x-7z-compressed"),
  },
  {
    start: "ustar",
    at: 257,
    describe: (_, head) => ({
      text: head.startsWith("ustar  \0", 257) ? "POSIX tar archive (GNU)" : "POSIX tar archive",
      mime: "application/x-tar",
    }),
  },
  { start: "\u007fELF", describe: describeElf },
  { start: "\u007fPROGRAM ", describe: fixed("agentOS program", "application/x-executable") },
  {
    start: "\0asm\u0001\0\0\0",
    describe: fixed("WebAssembly (wasm) binary module version 0x1 (MVP)", "application/wasm"),
  },
  {
    start: "\u00ca\u00fe\u00ba\u00be",
    describe: fixed(
      "compiled Java class data, version 52.0 (Java 1.8)",
      "application/x-java-applet",
    ),
  },
  { start: "SQLite format 3\0", describe: fixed("SQLite 3.x database", "application/vnd.sqlite3") },
  { start: "RIFF", describe: describeRiff },
  {
    start: "ID3",
    describe: (bytes) => ({
      text: `Audio file with ID3 version 2.${byteAt(bytes, 3)}.0`,
      mime: "audio/mpeg",
    }),
  },
  { start: "OggS", describe: fixed("Ogg data", "application/ogg") },
  { start: "fLaC", describe: fixed("FLAC audio bitstream data", "audio/flac") },
  { start: "ftyp", at: 4, describe: fixed("ISO Media", "video/mp4") },
  { start: "!<arch>\n", describe: fixed("current ar archive", "application/x-archive") },
];

/** The kind, or undefined where no first bytes are known. */
export function findMagic(bytes: Uint8Array): Magic | undefined {
  let head = "";
  for (const byte of bytes.subarray(0, 512)) head += String.fromCharCode(byte);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const row = rows.find(({ start, at = 0 }) => head.startsWith(start, at));
  return row?.describe(view, head);
}

function byteAt(bytes: DataView, at: number): number {
  return at < bytes.byteLength ? bytes.getUint8(at) : 0;
}

function describePng(bytes: DataView): Magic {
  const mime = "image/png";
  if (bytes.byteLength < 29) return { text: "PNG image data", mime };
  const colors = new Map([
    [0, "grayscale"],
    [2, "/color RGB"],
    [3, " colormap"],
    [4, " gray+alpha"],
    [6, "/color RGBA"],
  ]);
  const kind = byteAt(bytes, 25);
  const color = kind === 0 ? ` ${colors.get(0)}` : (colors.get(kind) ?? "");
  const lace = byteAt(bytes, 28) === 1 ? "interlaced" : "non-interlaced";
  return {
    text: `PNG image data, ${bytes.getUint32(16)} x ${bytes.getUint32(20)}, ${byteAt(bytes, 24)}-bit${color}, ${lace}`,
    mime,
  };
}

function describeJpeg(bytes: DataView, head: string): Magic {
  const mime = "image/jpeg";
  if (!head.startsWith("JFIF", 6) || bytes.byteLength < 18)
    return { text: "JPEG image data", mime };
  const version = `${byteAt(bytes, 11)}.${String(byteAt(bytes, 12)).padStart(2, "0")}`;
  const unit = ["aspect ratio", "resolution (DPI)", "resolution (DPCM)"][byteAt(bytes, 13)] ?? "";
  const density = `density ${bytes.getUint16(14)}x${bytes.getUint16(16)}`;
  return {
    text: `JPEG image data, JFIF standard ${version}, ${unit}, ${density}, segment length ${bytes.getUint16(4)}`,
    mime,
  };
}

function describeGif(bytes: DataView, head: string): Magic {
  const size =
    bytes.byteLength < 10 ? "" : `, ${bytes.getUint16(6, true)} x ${bytes.getUint16(8, true)}`;
  return { text: `GIF image data, version ${head.slice(3, 6)}${size}`, mime: "image/gif" };
}

function describeZip(bytes: DataView): Magic {
  const version = (byteAt(bytes, 4) / 10).toFixed(1);
  const methods = new Map([
    [0, "store"],
    [8, "deflate"],
  ]);
  const method = methods.get(byteAt(bytes, 8)) ?? "unknown";
  return {
    text: `Zip archive data, at least v${version} to extract, compression method=${method}`,
    mime: "application/zip",
  };
}

function describeGzip(bytes: DataView, head: string): Magic {
  const mime = "application/gzip";
  if (bytes.byteLength < 18) return { text: "data", mime: "application/octet-stream" };
  const flags = byteAt(bytes, 3);
  const end = head.indexOf("\0", 10);
  const was = (flags & 8) === 0 ? "" : `, was "${head.slice(10, end)}"`;
  const time = bytes.getUint32(4, true);
  const changed =
    time === 0
      ? ""
      : `, last modified: ${new Date(time * 1000).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) (.*) GMT$/, "$1 $3 $2 $5 $4")}`;
  const most =
    byteAt(bytes, 8) === 2 ? ", max compression" : byteAt(bytes, 8) === 4 ? ", max speed" : "";
  const size = bytes.getUint32(bytes.byteLength - 4, true);
  const from = byteAt(bytes, 9) === 3 ? ", from Unix" : "";
  return {
    text: `gzip compressed data${was}${changed}${most}${from}, original size modulo 2^32 ${size}`,
    mime,
  };
}

function describeXz(bytes: DataView): Magic {
  const checks = new Map([
    [0, ", checksum NONE"],
    [1, ", checksum CRC32"],
    [4, ", checksum CRC64"],
    [10, ", checksum SHA-256"],
  ]);
  return {
    text: `XZ compressed data${checks.get(byteAt(bytes, 7)) ?? ""}`,
    mime: "application/x-xz",
  };
}

function describeElf(bytes: DataView): Magic {
  const isWide = byteAt(bytes, 4) === 2;
  const isLittle = byteAt(bytes, 5) === 1;
  const kind = bytes.byteLength > 18 ? bytes.getUint16(16, isLittle) : 0;
  const machine = bytes.byteLength > 20 ? bytes.getUint16(18, isLittle) : 0;
  const kinds = new Map([
    [1, ["relocatable", "application/x-object"]],
    [2, ["executable", "application/x-executable"]],
    [3, ["shared object", "application/x-sharedlib"]],
    [4, ["core file", "application/x-coredump"]],
  ]);
  const machines = new Map([
    [3, "Intel 80386"],
    [40, "ARM"],
    [62, "x86-64"],
    [183, "ARM aarch64"],
    [243, "UCB RISC-V"],
  ]);
  const [what = "unknown type", mime = "application/octet-stream"] = kinds.get(kind) ?? [];
  const order = `${isWide ? 64 : 32}-bit ${isLittle ? "LSB" : "MSB"}`;
  return {
    text: `ELF ${order} ${what}, ${machines.get(machine) ?? "unknown machine"}, version 1 (SYSV)`,
    mime,
  };
}

function describeRiff(_: DataView, head: string): Magic {
  const kinds = new Map([
    ["WAVE", ["WAVE audio", "audio/x-wav"]],
    ["AVI ", ["AVI", "video/x-msvideo"]],
    ["WEBP", ["Web/P image", "image/webp"]],
  ]);
  const [what = "", mime = "application/octet-stream"] = kinds.get(head.slice(8, 12)) ?? [];
  return { text: `RIFF (little-endian) data${what === "" ? "" : `, ${what}`}`, mime };
}
