import type { JsonSchema } from "./json-schema.ts";

/** Which numbers a schema takes: `1 to 10`, `at least 1`, `at most 10`; "" where it does not say. */
export function describeRange({ minimum, maximum }: JsonSchema): string {
  if (!isBound(minimum)) return isBound(maximum) ? `at most ${maximum}` : "";
  return isBound(maximum) ? `${minimum} to ${maximum}` : `at least ${minimum}`;
}

/** Bounds that only mean an integer that is exact, as zod gives them, say nothing. */
function isBound(bound: unknown): bound is number {
  return typeof bound === "number" && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
