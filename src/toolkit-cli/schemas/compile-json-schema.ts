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
import { SchemaDocument } from "./schema-document.ts";

/** Throws a TypeError where the schema refers to what is not in it, or to itself without end. */
export function compileJsonSchema(schema: JsonSchema): (value: JsonValue) => Validation {
  const document = new SchemaDocument(schema);
  return (value) => {
    try {
      return validate(document, value);
    } catch (error) {
      if (error instanceof TooComplicated) return refuse();
      throw error;
    }
  };
}

function validate(document: SchemaDocument, value: JsonValue): Validation {
  const check = new Check(document);
  const filled = fillDefaults(check, document.root, { value, depth: 0 });
  const { issues } = checkValue(check, document.root, { value: filled, path: [], depth: 0 });
  return issues.length === 0 ? { ok: true, value: filled } : { ok: false, issues };
}

function refuse(): Validation {
  const message = "is too complicated to be checked: send less at a time";
  return { ok: false, issues: [{ path: [], message }] };
}
