import type { JsonSchema } from "../json-schema.ts";
import { type Check, type Findings, numberOf, type Place } from "./check.ts";

export function checkString(
  check: Check,
  schema: JsonSchema,
  { place, findings }: { place: Place<string>; findings: Findings },
): void {
  const { value, path } = place;
  const minimum = numberOf(schema, "minLength");
  const maximum = numberOf(schema, "maxLength");
  if (minimum !== undefined || maximum !== undefined) {
    const length = characterCount(value);
    if (minimum !== undefined && length < minimum) {
      const words =
        minimum === 1 ? "must not be empty" : `must have at least ${minimum} characters`;
      findings.add(path, words);
    }
    if (maximum !== undefined && length > maximum) {
      findings.add(path, `must have at most ${maximum} characters, not ${length}`);
    }
  }
  const { pattern } = schema;
  if (typeof pattern !== "string") return;
  if (!check.matches(pattern, value)) {
    findings.add(path, `must match the pattern ${pattern.slice(0, 200)}`);
  }
}

export function checkNumber(
  schema: JsonSchema,
  { place, findings }: { place: Place<number>; findings: Findings },
): void {
  const { value, path } = place;
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const minimum = numberOf(schema, "minimum");
  const maximum = numberOf(schema, "maximum");
  // Drafts up to 4 wrote `exclusiveMinimum: true` beside `minimum`.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (minimum !== undefined && value < minimum) findings.add(path, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) findings.add(path, `must be at most ${maximum}`);
  if (typeof above === "number" && value <= above) findings.add(path, `must be above ${above}`);
  if (typeof below === "number" && value >= below) findings.add(path, `must be below ${below}`);
  const step = numberOf(schema, "multipleOf");
  if (step !== undefined && step > 0 && !isMultiple(value, step)) {
    findings.add(path, `must be a multiple of ${step}`);
  }
}

/** 0.3 is a multiple of 0.1, although binary fractions say otherwise. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  if (!Number.isFinite(times)) return Number.isInteger(step);
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.abs(times) * 2;
}

/** Characters are code points. */
function characterCount(text: string): number {
  let count = text.length;
  for (const pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count -= pair.length;
  return count;
}
