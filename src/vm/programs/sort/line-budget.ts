/** How much sort holds before it writes a run to a temporary file: -S, or a part of the VM's memory. */
import { MEMORY_LIMIT } from "../memory-limit.ts";
import type { Run } from "../program.ts";
import type { LineBudget } from "./lines.ts";
import { kindsOf, type SortOrder, wholeLineSign } from "./order.ts";

/** All that sort may hold. Buffers grow in steps, so that a budget is kept below it. */
export const HELD_LIMIT = 8 * MEMORY_LIMIT;
const MOST_BYTES = 6 * MEMORY_LIMIT;
/** The part of the VM's memory without -S: two sorts fit beside each other. */
const PART_OF_MEMORY = 3 / 8;
/** A smaller size is raised to this, as GNU's sort does with sizes that hold next to nothing. */
const LEAST_BYTES = 256 * 1024;

/** Offsets, and the two orders that a sort goes back and forth between. */
const BYTES_PER_LINE = 3 * Uint32Array.BYTES_PER_ELEMENT;
/** A number or a prefix, and where the key lies. */
const BYTES_PER_KEY = Float64Array.BYTES_PER_ELEMENT + 2 * Uint32Array.BYTES_PER_ELEMENT;

export async function readBudget(run: Run, order: SortOrder): Promise<LineBudget> {
  const { totalBytes } = (await run.sys.sysinfo()).memory;
  const most = Math.min(MOST_BYTES, totalBytes * PART_OF_MEMORY);
  const given = run.options.get("buffer-size");
  const wanted = given === undefined ? most : parseSize(given, totalBytes);
  const bytes = Math.max(LEAST_BYTES, Math.min(most, wanted));
  const keys = order.keys.length === 0 ? [order.letters] : order.keys.map(({ letters }) => letters);
  const texts =
    wholeLineSign(order) === undefined
      ? keys.filter((letters) => /[VRfdi]/.test(letters) && !kindsOf(letters).includes("number"))
      : [];
  return {
    bytes,
    perLine: BYTES_PER_LINE + keys.length * BYTES_PER_KEY,
    perByte: 1 + texts.length,
  };
}

const UNITS = "bKMGTPEZY";

/** Of what `checkSize` lets through. Without a unit it is KiB, as sort(1) has it. */
function parseSize(text: string, totalBytes: number): number {
  const [, digits = "0", unit = "K"] = /^(\d+)([%A-Za-z])?/.exec(text) ?? [];
  if (unit === "%") return (totalBytes * Number(digits)) / 100;
  const power = unit === "b" ? 0 : UNITS.indexOf(unit.toUpperCase());
  return Number(digits) * 1024 ** power;
}
