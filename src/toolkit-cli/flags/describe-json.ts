/** What JSON a flag takes, in one line: `{"name":string,"tags"?:[string]}`. For help. */
import { describeScalar } from "./describe-shape.ts";
import type { SchemaDocument } from "./schema-document.ts";
import type { ArrayShape, ObjectShape, Shape } from "./shape.ts";

const DEPTH_LIMIT = 3;
const PROPERTIES_LIMIT = 10;
const LENGTH_LIMIT = 240;

type Below = (schema: ObjectShape["rest"]) => string;

/** "" where "JSON" says it all. */
export function describeJson(document: SchemaDocument, shape: Shape): string {
  const hasParts = shape.array !== undefined || (shape.object?.properties.size ?? 0) > 0;
  if (shape.isAny || !hasParts) return "";
  const text = describe(document, shape, 1);
  return text.length > LENGTH_LIMIT ? `${text.slice(0, LENGTH_LIMIT).toWellFormed()}…` : text;
}

function describe(document: SchemaDocument, shape: Shape, depth: number): string {
  if (shape.isAny) return "any";
  const { object, array } = shape;
  const below: Below = (schema) =>
    depth >= DEPTH_LIMIT ? "…" : describe(document, document.shapeOf(schema), depth + 1);
  const words = [
    ...shape.choices.slice(0, PROPERTIES_LIMIT).map((choice) => JSON.stringify(choice)),
    ...(shape.choices.length > PROPERTIES_LIMIT ? ["…"] : []),
    ...describeScalar({ ...shape, choices: [] }),
    ...(object === undefined ? [] : [describeObject(object, below)]),
    ...(array === undefined ? [] : [describeList(array, below)]),
  ];
  return words.join("|");
}

function describeObject({ properties, required, rest, isRecord }: ObjectShape, below: Below) {
  const members = [...properties]
    .slice(0, PROPERTIES_LIMIT)
    .map(
      ([name, schema]) =>
        `${JSON.stringify(name)}${required.has(name) ? "" : "?"}:${below(schema)}`,
    );
  if (properties.size > PROPERTIES_LIMIT) members.push("…");
  if (isRecord && rest !== false) members.push(`<key>:${below(rest)}`);
  return `{${members.join(",")}}`;
}

function describeList({ prefix, items }: ArrayShape, below: Below): string {
  const isTuple = prefix.length > 0;
  const places = prefix.slice(0, PROPERTIES_LIMIT).map(below);
  const others = isTuple
    ? typeof items === "boolean"
      ? []
      : [`…${below(items)}`]
    : [below(items)];
  return `[${[...places, ...others].join(",")}]`;
}
