/** Standard Schema (version 1): what zod, valibot, arktype and others have in common. */
import type { JsonValue } from "../json-schema.ts";
import type { Issue, Validation } from "../toolkit.ts";
import { sayType } from "./say-type.ts";

/** As https://standardschema.dev has it; only what is used here. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Issues past these are not told. */
export const ISSUES_LIMIT = 20;

export function standardValidation(
  schema: StandardSchema,
): (value: JsonValue) => Promise<Validation> {
  return async (value) => {
    const result = await schema["~standard"].validate(value);
    if (result.issues === undefined) return { ok: true, value: result.value };
    return { ok: false, issues: result.issues.slice(0, ISSUES_LIMIT).map(toIssue) };
  };
}

function toIssue({ message, path }: StandardIssue): Issue {
  return { path: Array.from(path ?? [], toKey), message: inPlainWords(message) };
}

function toKey(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? String(key) : key;
}

/** The commonest messages of zod and its like as the rest of the system says them. */
export function inPlainWords(message: string): string {
  if (/^Required$|received undefined$|\(was missing\)$/.test(message)) return "is required";
  const type = /^Invalid input: expected (\w+), received (\w+)$/.exec(message);
  if (type !== null) return `must be ${sayType(type[1] ?? "")}, not ${sayType(type[2] ?? "")}`;
  const options = /^Invalid option: expected one of (.{1,2000})$/.exec(message);
  return options === null ? message : `must be one of ${options[1]?.replaceAll("|", ", ")}`;
}
