/** What `npm pack` tells of a tarball. */
import type { NpmRun } from "./npm-run.ts";
import type { PackedFile, Tarball } from "./pack.ts";

export async function sayTarball(run: NpmRun, tarball: Tarball): Promise<void> {
  const { name, version, integrity, files } = tarball;
  const sign = run.config.is("unicode") ? "📦 " : "package:";
  const lines = [
    "",
    `${sign} ${name}@${version}`,
    "Tarball Contents",
    ...sortFiles(files).map(({ size, path }) => `${formatBytes(size, "")} ${path}`),
    "Tarball Details",
    `name: ${name}`,
    `version: ${version}`,
    `filename: ${tarball.filename}`,
    `package size: ${formatBytes(tarball.size)}`,
    `unpacked size: ${formatBytes(tarball.unpackedSize)}`,
    `shasum: ${tarball.shasum}`,
    `integrity: ${integrity.slice(0, 20)}[...]${integrity.slice(80)}`,
    `total files: ${files.length}`,
    "",
  ];
  await run.notice(lines.join("\n"));
}

/** Names that begin with a capital, or with no letter, come first. */
export function sortFiles(files: readonly PackedFile[]): PackedFile[] {
  const isUpper = ({ path }: PackedFile): boolean =>
    path.charAt(0) === path.charAt(0).toUpperCase();
  const compare = (a: PackedFile, b: PackedFile): number =>
    Number(isUpper(b)) - Number(isUpper(a)) ||
    a.path.localeCompare(b.path, "en", { sensitivity: "case", numeric: true });
  return files.toSorted(compare);
}

function formatBytes(bytes: number, space = " "): string {
  if (bytes < 1000) return `${bytes}${space}B`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)}${space}kB`;
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)}${space}MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)}${space}GB`;
}
