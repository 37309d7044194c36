/** What `unzip -l`, `unzip -v` and zipinfo print. */
import { showMode } from "../file-mode.ts";
import { formatTime } from "../format-time.ts";
import type { Run } from "../program.ts";
import type { ZipFile } from "./read-zip.ts";
import { DEFLATED, type ZipEntry } from "./zip-entry.ts";

/** How much smaller, in whole percent. */
function percent(size: number, packed: number): number {
  return size === 0 ? 0 : Math.round(((size - packed) / size) * 100);
}

function sum(entries: readonly ZipEntry[], key: "size" | "packedSize"): number {
  return entries.reduce((total, entry) => total + entry[key], 0);
}

function countFiles(count: number): string {
  return `${count} file${count === 1 ? "" : "s"}`;
}

export function listShort(run: Run, entries: readonly ZipEntry[], quiet: number): void {
  if (quiet < 2)
    run.out.addText("  Length      Date    Time    Name\n---------  ---------- -----   ----\n");
  for (const { name, size, mtimeMs } of entries)
    run.out.addText(
      `${String(size).padStart(9)}  ${formatTime("%F %R", mtimeMs)}   ${showZipName(name)}\n`,
    );
  if (quiet < 2)
    run.out.addText(
      `---------                     -------\n${String(sum(entries, "size")).padStart(9)}                     ${countFiles(entries.length)}\n`,
    );
}

export function listLong(run: Run, entries: readonly ZipEntry[], quiet: number): void {
  if (quiet < 2)
    run.out.addText(
      " Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n",
    );
  for (const entry of entries) {
    const { size, packedSize, mtimeMs, crc, name } = entry;
    const method = entry.method === DEFLATED ? "Defl:N" : "Stored";
    run.out.addText(
      `${String(size).padStart(8)}  ${method} ${String(packedSize).padStart(8)} ${String(percent(size, packedSize)).padStart(3)}% ${formatTime("%F %R", mtimeMs)} ${crc.toString(16).padStart(8, "0")}  ${showZipName(name)}\n`,
    );
  }
  const [size, packed] = [sum(entries, "size"), sum(entries, "packedSize")];
  if (quiet < 2)
    run.out.addText(
      `--------          -------  ---                            -------\n${String(size).padStart(8)}         ${String(packed).padStart(8)} ${String(percent(size, packed)).padStart(3)}%                            ${countFiles(entries.length)}\n`,
    );
}

export interface InfoParts {
  readonly hasHeader: boolean;
  readonly hasEntries: boolean;
  readonly hasTotals: boolean;
}

export function listInfo(
  run: Run,
  path: string,
  zip: ZipFile,
  { entries, parts }: { readonly entries: readonly ZipEntry[]; readonly parts: InfoParts },
): void {
  if (parts.hasHeader)
    run.out.addText(
      `Archive:  ${path}\nZip file size: ${zip.size} bytes, number of entries: ${zip.entries.length}\n`,
    );
  for (const entry of parts.hasEntries ? entries : []) {
    const letters = `${entry.isText ? "t" : "b"}${entry.hasExtra ? "x" : "-"}`;
    const version = `${Math.floor((entry.madeBy & 255) / 10)}.${entry.madeBy % 10}`;
    const method = entry.method === DEFLATED ? "defN" : "stor";
    const system = entry.madeBy >> 8 === 3 ? "unx" : "fat";
    run.out.addText(
      `${showMode(entry.kind, entry.mode)}  ${version} ${system} ${String(entry.size).padStart(8)} ${letters} ${method} ${formatTime("%y-%b-%d %R", entry.mtimeMs)} ${showZipName(entry.name)}\n`,
    );
  }
  if (!parts.hasTotals) return;
  const [size, packed] = [sum(entries, "size"), sum(entries, "packedSize")];
  const ratio = size === 0 ? 0 : Math.round(((size - packed) / size) * 1000) / 10;
  run.out.addText(
    `${countFiles(entries.length)}, ${size} bytes uncompressed, ${packed} bytes compressed:  ${ratio.toFixed(1)}%\n`,
  );
}

/** Control characters as `^X`. */
export function showZipName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return name.replace(/[\x00-\x1f\x7f]/g, (one) =>
    one === "\x7f" ? "^?" : `^${String.fromCharCode(one.charCodeAt(0) + 64)}`,
  );
}
