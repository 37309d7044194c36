import type { Stat } from "../../kernel/index.ts";

const BLOCK_BYTES = 4096;

/** What a file takes in units of 512 bytes: whole blocks of 4096, as ext4 counts; directories take one. */
export function diskBlocks({ kind, size, blocks }: Stat): number {
  const bytes = kind === "directory" ? size : blocks * 512;
  return Math.ceil(bytes / BLOCK_BYTES) * (BLOCK_BYTES / 512);
}
