import { MEMORY_LIMIT, MemoryLimitError } from "../memory-limit.ts";
import type { Run } from "../program.ts";
import type { Address } from "./block-writer.ts";
import type { CombinedInput } from "./combined-input.ts";

interface Bounds {
  readonly skip: number;
  readonly limit: number | undefined;
  readonly address: Address;
}

/** Shows what is printable, at least `minimum` long and ends with a NUL. */
export async function findStrings(
  run: Run,
  input: CombinedInput,
  minimum: number,
  { skip, limit, address }: Bounds,
): Promise<void> {
  const end = limit === undefined ? Number.POSITIVE_INFINITY : skip + limit;
  let at = skip;
  while (end >= minimum && end - minimum > at - 0) {
    const found: number[] = [];
    let byte = 0;
    while (found.length < minimum || at < end) {
      byte = await input.byte();
      at += 1;
      if (byte === -1) return;
      if (found.length >= minimum && byte === 0) break;
      if (byte < 32 || byte > 126) {
        found.length = 0;
        byte = -2;
        break;
      }
      found.push(byte);
      if (found.length > MEMORY_LIMIT / 16) throw new MemoryLimitError();
    }
    if (byte === -2) continue;
    run.out.addText(`${address(at - found.length - 1, " ")}${String.fromCharCode(...found)}\n`);
    if (run.out.isFull) await run.out.flush();
  }
}
