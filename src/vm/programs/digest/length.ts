import { rangedNumber } from "../number-argument.ts";
import { UsageError } from "../options.ts";
import type { Run } from "../program.ts";
import { quoteText } from "../quote-text.ts";
import type { Algorithm } from "./algorithms.ts";

/** The bits of `--length`; 0 and none are all of them. Fails with a UsageError. */
export async function readLength(run: Run, algorithm: Algorithm): Promise<number> {
  const text = run.options.get("length");
  if (text === undefined) return algorithm.bits;
  const bits = rangedNumber("invalid length", text);
  if (bits % 8n !== 0n) {
    await run.warn(`invalid length: ${quoteText(text)}`);
    throw new UsageError("length is not a multiple of 8", { hasHint: false });
  }
  if (algorithm.hasLength && bits > BigInt(algorithm.bits)) {
    await run.warn(`invalid length: ${quoteText(text)}`);
    throw new UsageError(
      `maximum digest length for ${quoteText(algorithm.tag)} is ${algorithm.bits} bits`,
      { hasHint: false },
    );
  }
  return bits === 0n ? algorithm.bits : Number(bits);
}
