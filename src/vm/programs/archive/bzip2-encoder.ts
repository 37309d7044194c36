/** One block of bzip2: sorted rotations, places moved to the front, Huffman codes. */
import type { Sys } from "../../../kernel/index.ts";
import type { BitWriter } from "./bit-writer.ts";
import { CODE_BITS, chooseTables, GROUP_SIZE } from "./bzip2-tables.ts";
import { sortRotations } from "./sort-rotations.ts";

export async function encodeBlock(sys: Sys, writer: BitWriter, data: Uint8Array): Promise<void> {
  const { last, origin } = await sortRotations(sys, data);
  writer.bits(0, 1);
  writer.bits(origin, 24);
  const used = listUsed(data);
  writeUsed(writer, used);
  const symbols = toSymbols(last, used);
  const { tables, selectors } = chooseTables(symbols, used.length + 2);
  writer.bits(tables.length, 3);
  writeSelectors(writer, selectors, tables.length);
  for (const lengths of tables) writeLengths(writer, lengths);
  const codes = tables.map(makeCodes);
  for (const [at, symbol] of symbols.entries()) {
    const table = selectors[Math.floor(at / GROUP_SIZE)] ?? 0;
    writer.bits(codes[table]?.[symbol] ?? 0, tables[table]?.[symbol] ?? 1);
  }
}

/** Tables move to the front, too; each place is as many ones. */
function writeSelectors(writer: BitWriter, selectors: Uint8Array, count: number): void {
  writer.bits(selectors.length, 15);
  const front = Array.from({ length: count }, (_, table) => table);
  for (const table of selectors) {
    const place = front.indexOf(table);
    front.splice(place, 1);
    front.unshift(table);
    for (let one = 0; one < place; one++) writer.bits(1, 1);
    writer.bits(0, 1);
  }
}

function listUsed(data: Uint8Array): number[] {
  const isUsed = new Uint8Array(256);
  for (const byte of data) isUsed[byte] = 1;
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => isUsed[byte] === 1);
}

function writeUsed(writer: BitWriter, used: readonly number[]): void {
  const groups = Array.from({ length: 16 }, () => 0);
  for (const byte of used) groups[byte >> 4] = (groups[byte >> 4] ?? 0) | (0x8000 >> (byte & 15));
  let map = 0;
  for (const [at, members] of groups.entries()) if (members !== 0) map |= 0x8000 >> at;
  writer.bits(map, 16);
  for (const members of groups) if (members !== 0) writer.bits(members, 16);
}

/** Places in the list of bytes last seen; runs of the first place are numbers of two digits, 0 and 1. */
function toSymbols(last: Uint8Array, used: readonly number[]): Uint16Array {
  const front = Uint8Array.from(used);
  const symbols = new Uint16Array(last.length + 2);
  let [length, run] = [0, 0];
  const endRun = (): void => {
    for (; run > 0; run = (run - 1) >> 1) symbols[length++] = (run & 1) === 1 ? 0 : 1;
  };
  for (let at = 0; at < last.length; at++) {
    const byte = last[at] ?? 0;
    if (front[0] === byte) {
      run += 1;
      continue;
    }
    endRun();
    const place = front.indexOf(byte);
    front.copyWithin(1, 0, place);
    front[0] = byte;
    symbols[length++] = place + 1;
  }
  endRun();
  symbols[length++] = used.length + 1;
  return symbols.subarray(0, length);
}

function writeLengths(writer: BitWriter, lengths: Uint8Array): void {
  let current = lengths[0] ?? 1;
  writer.bits(current, 5);
  for (const length of lengths) {
    for (; current < length; current++) writer.bits(2, 2);
    for (; current > length; current--) writer.bits(3, 2);
    writer.bits(0, 1);
  }
}

function makeCodes(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length);
  let code = 0;
  for (let bits = 1; bits <= CODE_BITS; bits++) {
    for (let symbol = 0; symbol < lengths.length; symbol++)
      if (lengths[symbol] === bits) codes[symbol] = code++;
    code <<= 1;
  }
  return codes;
}
