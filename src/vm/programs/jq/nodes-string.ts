import type { Compiled } from "./compiled.ts";
import { formatWith } from "./formats.ts";
import { apply } from "./nodes-apply.ts";

/** A string with parts to compute, each through a format. */
export function interpolate(format: string, parts: readonly (string | Compiled)[]): Compiled {
  const compiled = parts.filter((part) => typeof part !== "string");
  return apply(compiled, (_input, values) => {
    let at = 0;
    return parts
      .map((part) => (typeof part === "string" ? part : formatWith(format, values[at++] ?? null)))
      .join("");
  });
}
