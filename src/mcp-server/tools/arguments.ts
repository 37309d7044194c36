// Arguments that several MCP tools have. What they cost a model in tokens counts: bounds are checked
// and told when they are broken, not listed.
import { z } from "zod";

export const vmId = z.string();

/** vm_exec says once for all what holds without these two. */
export const optionalVmId = z.string().optional();

export const asRoot = z.boolean().optional();

/**
 * zod's own word for keys says nothing: they are strings in any JSON. Nor does it say that it leaves
 * out one name, which is refused here.
 */
export const environment = z.preprocess(
  (value, context) => {
    const hasName =
      typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
    if (hasName) context.addIssue('no variable can be named "__proto__"');
    return value;
  },
  z.record(z.string(), z.string()).meta({ propertyNames: undefined }),
);

/** A whole number within bounds. */
export function integer(min: number, max: number): z.ZodNumber {
  return z
    .number()
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, {
      error: `give a whole number from ${min} to ${max}`,
    })
    .meta({ type: "integer" });
}

/** Columns or rows: the VM knows how many there can be. */
export const terminalLength = z.number().meta({ type: "integer" }).optional();
