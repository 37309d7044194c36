/** The state of one check of a value against a schema: what it may still cost. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import type { Issue } from "../toolkit.ts";
import type { SchemaDocument } from "./schema-document.ts";

/** Issues past these are not looked for. */
export const ISSUES_LIMIT = 20;
/** Schemas applied and values compared; a fraction of a second. */
const STEPS_LIMIT = 200_000;
/** All regular expressions together that are not certain to be quick. */
const PATTERN_TIME_MS = 100;
/** Values and references nested in each other. */
const DEPTH_LIMIT = 400;

export class TooComplicated extends Error {}

export class Check {
  readonly document: SchemaDocument;
  #steps = 0;
  #patternTimeMs = PATTERN_TIME_MS;

  constructor(document: SchemaDocument) {
    this.document = document;
  }

  /** Every piece of work comes by here. */
  step(depth: number): void {
    this.#steps += 1;
    if (this.#steps > STEPS_LIMIT || depth > DEPTH_LIMIT) throw new TooComplicated();
  }

  matches(pattern: string, text: string): boolean {
    const startedMs = performance.now();
    const answer = this.document.patterns.test(pattern, text, this.#patternTimeMs);
    this.#patternTimeMs -= performance.now() - startedMs;
    if (answer === "late") throw new TooComplicated();
    return answer;
  }
}

/** A value at its place. */
export interface Place<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly path: Issue["path"];
  readonly depth: number;
}

export function inside(place: Place, key: string | number, value: JsonValue): Place {
  return { value, path: [...place.path, key], depth: place.depth + 1 };
}

/** What came of applying a schema. */
export class Findings {
  readonly issues: Issue[] = [];
  /** Properties and items that the schema has had a say in: for unevaluatedProperties and -Items. */
  #seen: Set<string | number> | undefined;

  get ok(): boolean {
    return this.issues.length === 0;
  }

  add(path: Issue["path"], message: string): void {
    if (this.issues.length < ISSUES_LIMIT) this.issues.push({ path, message });
  }

  /** What another schema found about a value inside this one. */
  addIssues(issues: readonly Issue[]): void {
    for (const { path, message } of issues) this.add(path, message);
  }

  /** What another schema found about this very value. */
  merge(other: Findings): void {
    this.addIssues(other.issues);
    if (other.ok) for (const key of other.#seen ?? []) this.see(key);
  }

  see(key: string | number): void {
    this.#seen ??= new Set();
    this.#seen.add(key);
  }

  hasSeen(key: string | number): boolean {
    return this.#seen?.has(key) === true;
  }
}

/** Applies a schema; given to the parts so that they need not import each other. */
export type Apply = (schema: JsonValue, place: Place) => Findings;

/** A keyword's number, where it is one. */
export function numberOf(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}
