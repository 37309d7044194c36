// `toolkits` of the configuration: modules of the operator's, and OpenAPI documents.
import { z } from "zod";
import { suggest } from "../suggest.ts";
import { type OpenapiOptions, openapiOptions } from "../toolkits/openapi/openapi-options.ts";

const moduleOptions = z.strictObject({
  module: z.string().min(1),
  export: z.string().optional(),
  expose: z.enum(["cli", "direct", "both"]).optional(),
  disabled: z.boolean().optional(),
});

export type ModuleOptions = z.output<typeof moduleOptions>;
export type ToolkitConfig = ModuleOptions | OpenapiOptions;

/** What an entry is decides which keys it may have. */
const toolkitConfig = z.unknown().transform((value, context): ToolkitConfig => {
  const schema = schemaFor(value);
  if (schema === undefined) {
    context.addIssue('must have "module" or "openapi", and not both');
    return z.NEVER;
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues.map(innermost)) {
    context.addIssue({ code: "custom", path: issue.path, message: wordsOf(issue, schema) });
  }
  return z.NEVER;
});

export const toolkitsConfig = z.record(
  z.string().refine((name) => /[\p{L}\p{N}]/u.test(name), "needs a letter or digit"),
  toolkitConfig,
);

type EntrySchema = typeof moduleOptions | typeof openapiOptions;

function schemaFor(value: unknown): EntrySchema | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ("module" in value === "openapi" in value) return undefined;
  return "module" in value ? moduleOptions : openapiOptions;
}

/** Of the ways in which a union was missed, the one that came furthest. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input") return issue;
  const inner = issue.errors.flat().map(innermost);
  const [deepest] = inner.toSorted((one, other) => other.path.length - one.path.length);
  return deepest === undefined ? issue : { ...deepest, path: [...issue.path, ...deepest.path] };
}

function wordsOf(issue: z.core.$ZodIssue, schema: EntrySchema): string {
  if (issue.code === "invalid_type") return `must be of type ${issue.expected}`;
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code !== "unrecognized_keys") return issue.message;
  const known = issue.path.length === 0 ? Object.keys(schema.shape) : [];
  return issue.keys.map((key) => `has no setting ${key}${hint(key, known)}`).join("; ");
}

function hint(key: string, known: readonly string[]): string {
  const close = suggest(key, known);
  return close === undefined ? "" : ` (did you mean ${close}?)`;
}
