/** The JSON Schema of a Standard Schema, by whatever way its library has. */
import { createRequire } from "node:module";
import type { StandardSchema } from "./standard-schema.ts";

type Side = "input" | "output";
type Convert = (options: { readonly target: string }) => unknown;

/** Throws a TypeError that says what to do where the schema has no such way. */
export function standardToJsonSchema(schema: StandardSchema, side: Side): unknown {
  if ("_zod" in schema) return zod4ToJsonSchema(schema, side);
  const convert = findConverter(schema, side);
  const { vendor } = schema["~standard"];
  if (convert === undefined) throw new TypeError(noWay(vendor));
  for (const target of ["draft-2020-12", "draft-07"]) {
    const found = attempt(() => convert({ target }));
    if ("value" in found) return found.value;
    if (target === "draft-07") {
      throw new TypeError(`${vendor} cannot say this schema in JSON Schema: ${found.message}`);
    }
  }
  return {};
}

/** The extension https://standardschema.dev/json-schema. */
function findConverter(schema: StandardSchema, side: Side): Convert | undefined {
  const standard = schema["~standard"];
  if (!("jsonSchema" in standard)) return undefined;
  const { jsonSchema } = standard;
  if (typeof jsonSchema !== "object" || jsonSchema === null) return undefined;
  const convert: unknown = Reflect.get(jsonSchema, side);
  if (typeof convert !== "function") return undefined;
  return (options) => Reflect.apply(convert, jsonSchema, [options]);
}

function noWay(vendor: string): string {
  if (vendor === "valibot") {
    return "Wrap valibot schemas: toStandardJsonSchema(schema) of @valibot/to-json-schema.";
  }
  return `This ${vendor} schema has no JSON Schema (the Standard JSON Schema extension). Use a newer ${vendor}, or write the schema in JSON Schema.`;
}

/**
 * The schema's own zod knows it best; ours helps with those before 4.2, which have no way of their own.
 * Dates and the like have no word in JSON Schema; what a handler gets is zod's business.
 */
function zod4ToJsonSchema(schema: StandardSchema, side: Side): unknown {
  const options = { io: side, unrepresentable: "any", override: completeFromZod };
  const own = "toJSONSchema" in schema ? schema.toJSONSchema : undefined;
  const ways = [
    () => (typeof own === "function" ? Reflect.apply(own, schema, [options]) : undefined),
    () => findConverter(schema, side)?.({ target: "draft-2020-12" }),
    () => zodOfOurs().toJSONSchema(schema, options),
  ];
  let said = "";
  for (const way of ways) {
    const found = attempt(way);
    if ("message" in found) said = found.message;
    else if (found.value !== undefined) return found.value;
  }
  throw new TypeError(`zod cannot say this schema in JSON Schema: ${said}`);
}

/** Adds what one zod does not see in a schema of another: descriptions and the like. */
function completeFromZod(context: unknown): void {
  const schema: unknown = Reflect.get(Object(context), "zodSchema");
  const json: unknown = Reflect.get(Object(context), "jsonSchema");
  if (typeof json !== "object" || json === null) return;
  const meta: unknown = Reflect.get(Object(schema), "meta");
  const known: unknown = typeof meta === "function" ? Reflect.apply(meta, schema, []) : undefined;
  const { id: _, ...rest } = Object(known);
  Object.assign(json, { ...rest, ...json });
  const type: unknown = Reflect.get(Object(Reflect.get(Object(schema), "def")), "type");
  if (type === "date") Object.assign(json, { type: "string", format: "date-time" });
  // What zod says of every whole number helps nobody who reads it.
  if (Reflect.get(json, "minimum") === Number.MIN_SAFE_INTEGER)
    Reflect.deleteProperty(json, "minimum");
  if (Reflect.get(json, "maximum") === Number.MAX_SAFE_INTEGER)
    Reflect.deleteProperty(json, "maximum");
}

interface ZodModule {
  toJSONSchema(schema: unknown, options: object): unknown;
}

/** Loaded when somebody first brings a zod schema: it takes a while, and cells have none. */
function zodOfOurs(): ZodModule {
  const module: unknown = createRequire(import.meta.url)("zod");
  if (!isZodModule(module)) throw new TypeError("zod is not what it was.");
  return module;
}

function isZodModule(module: unknown): module is ZodModule {
  return typeof module === "object" && module !== null && "toJSONSchema" in module;
}

function attempt<T>(work: () => T): { value: T } | { message: string } {
  try {
    return { value: work() };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}
