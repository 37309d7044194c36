/**
 * JSON Schema (2020-12, and what older drafts wrote for the same) as a check of values. It interprets: no
 * code is made of a schema, nothing is fetched for it, and neither a schema nor a value can keep it busy.
 * `format` is an annotation, as the specification has it.
 */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { Validation } from "../toolkit.ts";
import { Check, TooComplicated } from "./check.ts";
import { checkValue } from "./check-value.ts";
import { fillDefaults } from "./fill-defaults.ts";
import { hasRiskyPattern } from "./patterns.ts";
import { isTooSlow, runWithinTime } from "./run-within-time.ts";
import { SchemaDocument } from "./schema-document.ts";

/** Only regular expressions take time of their own; everything else is counted in steps. */
const PATTERN_TIME_MS = 100;

/** Throws a TypeError where the schema refers to what is not in it. */
export function compileJsonSchema(schema: JsonSchema): (value: JsonValue) => Validation {
  const document = new SchemaDocument(schema);
  const isRisky = hasRiskyPattern(document);
  return (value) => {
    const work = (): Validation => validate(document, value);
    try {
      return isRisky ? runWithinTime(PATTERN_TIME_MS, work) : work();
    } catch (error) {
      if (!(error instanceof TooComplicated || isTooSlow(error))) throw error;
      return refuse("is too complicated to be checked: send less at a time");
    }
  };
}

function validate(document: SchemaDocument, value: JsonValue): Validation {
  const check = new Check(document);
  const filled = fillDefaults(check, document.root, { value, depth: 0 });
  const { issues } = checkValue(check, document.root, { value: filled, path: [], depth: 0 });
  return issues.length === 0 ? { ok: true, value: filled } : { ok: false, issues };
}

function refuse(message: string): Validation {
  return { ok: false, issues: [{ path: [], message }] };
}
