import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { type ArchiveCompression, compressionOf } from "./open-archive.ts";

/** Programs by what they write or read. */
const compressors: ReadonlyMap<string, ArchiveCompression> = new Map([
  ["gzip", "gzip"],
  ["gunzip", "gzip"],
  ["pigz", "gzip"],
  ["bzip2", "bzip2"],
  ["bunzip2", "bzip2"],
  ["xz", "xz"],
  ["unxz", "xz"],
  ["zstd", "zstd"],
  ["unzstd", "zstd"],
]);

/** The compression asked for; by the name of an archive to make with -a. Fails with a UsageError. */
export function readCompression(run: Run, operation: string, file: string): ArchiveCompression {
  const program = run.options.get("use-compress-program");
  if (program !== undefined) {
    const found = compressors.get(program.replace(/^.*\//, "").split(" ")[0] ?? "");
    if (found === undefined)
      throw new UsageError(`${program}: not supported as a compressor`, { hasHint: false });
    return found;
  }
  const kinds = ["gzip", "gunzip", "ungzip", "bzip2", "xz", "zstd"];
  const given = kinds.filter((kind) => run.has(kind));
  if (new Set(given.map((kind) => kind.replace(/^.*gun?zip$|ungzip/, "gzip"))).size > 1)
    throw new UsageError("Conflicting compression options");
  const chosen = given[0];
  if (chosen === "bzip2" || chosen === "xz" || chosen === "zstd") return chosen;
  if (chosen !== undefined) return "gzip";
  return run.has("auto-compress") && operation === "create" ? compressionOf(file) : "none";
}
