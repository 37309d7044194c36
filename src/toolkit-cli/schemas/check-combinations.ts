/** `allOf`, `anyOf`, `oneOf`, `not`, `if`. */
import { isJsonArray, isJsonObject } from "../flags/json-kinds.ts";
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { Issue } from "../toolkit.ts";
import type { Apply, Findings, Place } from "./check.ts";
import { sayType, typeFits } from "./say-type.ts";

interface Target {
  readonly place: Place;
  readonly findings: Findings;
  readonly apply: Apply;
  /** Whether unevaluatedProperties or -Items ask what each member has seen. */
  readonly isWholeNeeded: boolean;
}

export function checkCombinations(schema: JsonSchema, target: Target): void {
  const { findings, apply } = target;
  const place = { ...target.place, depth: target.place.depth + 1 };
  const { allOf, anyOf, oneOf, not } = schema;
  if (isJsonArray(allOf)) for (const part of allOf) findings.merge(apply(part, place));
  if (isJsonArray(anyOf)) checkAnyOf(anyOf, { ...target, place });
  if (isJsonArray(oneOf)) checkOneOf(oneOf, { ...target, place });
  if (not !== undefined && apply(not, place).ok)
    findings.add(place.path, "is of a kind that is not allowed");
  checkCondition(schema, { ...target, place });
}

function checkAnyOf(
  members: readonly JsonValue[],
  { place, findings, apply, isWholeNeeded }: Target,
): void {
  const tried: Findings[] = [];
  let fits = false;
  for (const member of members) {
    const found = apply(member, place);
    tried.push(found);
    if (!found.ok) continue;
    findings.merge(found);
    fits = true;
    // Only what a later member has seen could still matter.
    if (!isWholeNeeded) return;
  }
  if (!fits) findings.addIssues(explain(members, tried, place));
}

function checkOneOf(members: readonly JsonValue[], { place, findings, apply }: Target): void {
  const tried = members.map((member) => apply(member, place));
  const fitting = tried.filter((member) => member.ok);
  const [only] = fitting;
  if (only === undefined) findings.addIssues(explain(members, tried, place));
  else if (fitting.length === 1) findings.merge(only);
  else findings.add(place.path, `fits ${fitting.length} kinds where it may be only one`);
}

/** The issues of the member that was meant, where one can be told; else what there is to choose from. */
function explain(
  members: readonly JsonValue[],
  tried: readonly Findings[],
  { value, path }: Place,
): readonly Issue[] {
  const meant = tried.filter((found, position) => {
    const member = members[position];
    if (isJsonObject(member) && member["type"] !== undefined && !typeFits(member["type"], value))
      return false;
    return !found.issues.some((issue) => isDiscriminator(issue, path.length));
  });
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only.issues;
  const types = members.flatMap((member) =>
    isJsonObject(member) ? typeNames(member["type"]) : [],
  );
  const kinds = [...new Set(types)];
  const isTold = kinds.length > 1 && !kinds.some((kind) => typeFits(kind, value));
  const said = isTold
    ? `must be ${sayType(kinds)}`
    : `fits none of the ${members.length} kinds it may be`;
  return [{ path, message: said }];
}

/** A property that must have one certain value tells members apart. */
function isDiscriminator({ path, message }: Issue, depth: number): boolean {
  return path.length === depth + 1 && /^must be ("|one of|\d)/.test(message);
}

function typeNames(type: JsonValue | undefined): readonly JsonValue[] {
  if (type === undefined) return [];
  return isJsonArray(type) ? type : [type];
}

function checkCondition(schema: JsonSchema, { place, findings, apply }: Target): void {
  const condition = schema["if"];
  if (condition === undefined) return;
  const found = apply(condition, place);
  if (found.ok) findings.merge(found);
  const branch = schema[found.ok ? "then" : "else"];
  if (branch !== undefined) findings.merge(apply(branch, place));
}
