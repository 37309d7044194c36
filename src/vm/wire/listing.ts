/** A page of a directory of software as bytes: JSON, which keeps names that are not UTF-8 as they are. */
import { CHUNK_BYTES } from "./messages.ts";

/** One entry. Special files are `other`: nobody opens them. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** Permission bits as the VM shows them. */
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where a link leads. */
  readonly target?: string;
}

const kinds = ["file", "directory", "symlink", "other"] as const;
type Row = readonly [string, number, number, number, number, string?];

/** A page ends behind the entry that fills it so far; the longest entry still fits a frame's body. */
const PAGE_BYTES = CHUNK_BYTES / 2;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * As many of the entries as one page takes, from the first on; `count` says how many. Undefined
 * stands for one that has gone, and is left out.
 */
export function encodePage(entries: readonly (FolderEntry | undefined)[]): {
  readonly bytes: Uint8Array;
  readonly count: number;
} {
  const rows: string[] = [];
  let length = 0;
  let count = 0;
  for (const entry of entries) {
    count += 1;
    if (entry === undefined) continue;
    const row = JSON.stringify(rowOf(entry));
    rows.push(row);
    length += Buffer.byteLength(row);
    if (length >= PAGE_BYTES) break;
  }
  return { bytes: encoder.encode(`[${rows.join(",")}]`), count };
}

/** The server's word is taken: it ships with this code. */
export function decodePage(bytes: Uint8Array): FolderEntry[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- encodePage has made it
  const rows = JSON.parse(decoder.decode(bytes)) as Row[];
  return rows.map(([name, kind, mode, size, mtimeMs, target]) => {
    const entry = { name, kind: kinds[kind] ?? "other", mode, size, mtimeMs };
    return target === undefined ? entry : { ...entry, target };
  });
}

function rowOf({ name, kind, mode, size, mtimeMs, target }: FolderEntry): Row {
  const row = [name, kinds.indexOf(kind), mode, size, mtimeMs] as const;
  return target === undefined ? row : [...row, target];
}
