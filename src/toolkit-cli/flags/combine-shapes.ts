/** allOf and anyOf of shapes. Schemas below them are combined as schemas, and read when asked for. */
import type { JsonSchema, JsonValue } from "../json-schema.ts";
import { type ArrayShape, allows, never, type ObjectShape, type Shape } from "./shape.ts";

type Schema = JsonSchema | boolean;

/** What both allow. The first one's description and default come first. */
export function intersect(one: Shape, other: Shape): Shape {
  const meta = { ...metaOf(other), ...metaOf(one) };
  if (one.isAny) return { ...other, ...meta };
  if (other.isAny) return { ...one, ...meta };
  return {
    isAny: false,
    hasString: one.hasString && other.hasString,
    number: intersectNumbers(one.number, other.number),
    hasBoolean: one.hasBoolean && other.hasBoolean,
    hasNull: one.hasNull && other.hasNull,
    choices: distinct([
      ...one.choices.filter((choice) => allows(other, choice)),
      ...other.choices.filter((choice) => allows(one, choice)),
    ]),
    array: one.array && other.array && intersectArrays(one.array, other.array),
    object: one.object && other.object && intersectObjects(one.object, other.object),
    ...meta,
  };
}

/** What any of them allows. */
export function unite(shapes: readonly Shape[]): Shape {
  const numbers = shapes.map((shape) => shape.number);
  const arrays = shapes.flatMap(({ array }) => array ?? []);
  const objects = shapes.flatMap(({ object }) => object ?? []);
  return {
    isAny: shapes.some((shape) => shape.isAny),
    hasString: shapes.some((shape) => shape.hasString),
    number: numbers.includes("number")
      ? "number"
      : numbers.includes("integer")
        ? "integer"
        : undefined,
    hasBoolean: shapes.some((shape) => shape.hasBoolean),
    hasNull: shapes.some((shape) => shape.hasNull),
    choices: distinct(shapes.flatMap((shape) => shape.choices)),
    array: uniteArrays(arrays),
    object: uniteObjects(objects),
    ...metaOf(shapes.find((shape) => !isOnlyNull(shape)) ?? never),
  };
}

type Meta = Pick<Shape, "description" | "default" | "format" | "range" | "isBase64">;

function metaOf({ description, default: standard, format, range, isBase64 }: Shape): Meta {
  return {
    ...(description === undefined ? {} : { description }),
    ...(standard === undefined ? {} : { default: standard }),
    ...(format === undefined ? {} : { format }),
    ...(range === undefined ? {} : { range }),
    ...(isBase64 === undefined ? {} : { isBase64 }),
  };
}

function isOnlyNull(shape: Shape): boolean {
  return shape.hasNull && JSON.stringify({ ...never, hasNull: true }) === JSON.stringify(shape);
}

function intersectNumbers(one: Shape["number"], other: Shape["number"]): Shape["number"] {
  if (one === undefined || other === undefined) return undefined;
  return one === "integer" || other === "integer" ? "integer" : "number";
}

function intersectArrays(one: ArrayShape, other: ArrayShape): ArrayShape {
  const longer = one.prefix.length >= other.prefix.length ? one : other;
  return { prefix: longer.prefix, items: allOf([one.items, other.items]) };
}

function intersectObjects(one: ObjectShape, other: ObjectShape): ObjectShape {
  const properties = gather([one, other], allOf);
  return {
    properties,
    required: new Set([...one.required, ...other.required]),
    rest: one.rest === false || other.rest === false ? false : allOf([one.rest, other.rest]),
    isRecord: one.isRecord || other.isRecord,
  };
}

function uniteArrays(arrays: readonly ArrayShape[]): ArrayShape | undefined {
  const [first, ...others] = arrays;
  if (first === undefined || others.length === 0) return first;
  return { prefix: [], items: anyOf(arrays.flatMap(({ prefix, items }) => [...prefix, items])) };
}

function uniteObjects(objects: readonly ObjectShape[]): ObjectShape | undefined {
  const [first, ...others] = objects;
  if (first === undefined || others.length === 0) return first;
  const rests = objects.map(({ rest }) => rest).filter((rest) => rest !== false);
  return {
    properties: gather(objects, anyOf),
    required: new Set(
      [...first.required].filter((name) => others.every(({ required }) => required.has(name))),
    ),
    rest: rests.length === 0 ? false : anyOf(rests),
    isRecord: objects.some(({ isRecord }) => isRecord),
  };
}

function gather(
  objects: readonly ObjectShape[],
  combine: (schemas: readonly Schema[]) => Schema,
): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema[]>();
  for (const { properties } of objects) {
    for (const [name, schema] of properties) {
      const schemas = found.get(name);
      if (schemas === undefined) found.set(name, [schema]);
      else schemas.push(schema);
    }
  }
  return new Map([...found].map(([name, schemas]) => [name, combine(schemas)]));
}

function allOf(schemas: readonly Schema[]): Schema {
  const telling = [...new Set(schemas)].filter((schema) => schema !== true);
  return telling.length <= 1 ? (telling[0] ?? true) : { allOf: telling };
}

function anyOf(schemas: readonly Schema[]): Schema {
  const telling = [...new Set(schemas)];
  return telling.length === 1 ? (telling[0] ?? true) : { anyOf: telling };
}

function distinct(values: readonly JsonValue[]): readonly JsonValue[] {
  if (values.length < 2) return values;
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
