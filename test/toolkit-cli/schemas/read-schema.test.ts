import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { z as mini } from "zod/mini";
import { z as z3 } from "zod/v3";
import { z as z40 } from "zod-4-0";
import { readSchema } from "../../../src/toolkit-cli/schemas/read-schema.ts";

const kinds: [string, unknown][] = [
  ["zod 4", z.object({ name: z.string(), count: z.int().default(3) })],
  ["zod 4.0, which is not ours", z40.object({ name: z40.string(), count: z40.int().default(3) })],
  ["zod mini", mini.object({ name: mini.string(), count: mini._default(mini.int(), 3) })],
  ["zod 3", z3.object({ name: z3.string(), count: z3.number().int().default(3) })],
  ["zod 3 before Standard Schema", withoutStandard()],
  [
    "valibot",
    toStandardJsonSchema(
      v.object({ name: v.string(), count: v.optional(v.pipe(v.number(), v.integer()), 3) }),
    ),
  ],
  ["arktype", type({ name: "string", count: "number.integer = 3" })],
  [
    "JSON Schema",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { name: { type: "string" }, count: { type: "integer", default: 3 } },
      required: ["name"],
    },
  ],
];

describe.each(kinds)("a schema of %s", (_, schema) => {
  const read = readSchema(schema, "input");

  it("says what it takes in JSON Schema", () => {
    const { type: kind, required, properties } = read.json;
    expect([kind, required]).toEqual(["object", ["name"]]);
    expect(properties).toMatchObject({ name: { type: "string" }, count: { type: "integer" } });
    expect(JSON.stringify(read.json)).not.toMatch(/\$schema|9007199254740991/);
  });

  it("fills in defaults and finds what is wrong, in plain words", async () => {
    expect(await read.validate({ name: "x" })).toEqual({
      ok: true,
      value: { name: "x", count: 3 },
    });
    expect(await read.validate({})).toEqual({
      ok: false,
      issues: [{ path: ["name"], message: "is required" }],
    });
    expect(await read.validate({ name: 5 })).toMatchObject({
      ok: false,
      issues: [{ path: ["name"] }],
    });
    expect(await read.validate("text")).toMatchObject({ ok: false });
  });
});

describe("zod", () => {
  it("keeps descriptions and what else is said, of whatever copy of zod", () => {
    const meta = { description: "The key.", secret: true };
    for (const schema of [
      z.object({ key: z.string().meta(meta) }),
      z40.object({ key: z40.string().meta(meta) }),
    ]) {
      expect(readSchema(schema, "input").json["properties"]).toEqual({
        key: { type: "string", ...meta },
      });
    }
  });

  it("gives the handler what it transforms to, and speaks of what it takes", async () => {
    const schema = z.object({
      at: z.coerce.date(),
      n: z.string().transform(Number).pipe(z.number()),
    });
    const { json, validate } = readSchema(schema, "input");
    expect(json["properties"]).toEqual({
      at: { type: "string", format: "date-time" },
      n: { type: "string" },
    });
    expect(await validate({ at: "2026-01-01T00:00:00Z", n: "5" })).toEqual({
      ok: true,
      value: { at: new Date("2026-01-01T00:00:00Z"), n: 5 },
    });
  });

  it("takes schemas that contain themselves", async () => {
    const Tree = z.object({
      name: z.string(),
      get children() {
        return z.array(Tree).optional();
      },
    });
    const { json, validate } = readSchema(Tree, "input");
    expect(JSON.stringify(json)).toContain('"$ref":"#"');
    expect(await validate({ name: "a", children: [{ name: 5 }] })).toMatchObject({
      issues: [{ path: ["children", 0, "name"], message: "must be a string, not a number" }],
    });
  });

  it("says options and types in the words of the rest", async () => {
    const { validate } = readSchema(z.object({ e: z.enum(["a", "b"]), n: z.number() }), "input");
    expect(await validate({ e: "c", n: null })).toMatchObject({
      issues: [{ message: 'must be one of "a", "b"' }, { message: "must be a number, not null" }],
    });
  });

  it("tells no more than twenty issues", async () => {
    const { validate } = readSchema(z.object({ list: z.array(z.number()) }), "input");
    const result = await validate({ list: Array(1000).fill("x") });
    expect(result.ok || result.issues.length).toBe(20);
  });
});

describe("what cannot be used", () => {
  it("says what to do", () => {
    expect(() => readSchema(v.object({}), "input")).toThrow(
      "Wrap valibot schemas: toStandardJsonSchema(schema) of @valibot/to-json-schema.",
    );
    const validate = (value: unknown): object => ({ value });
    expect(() =>
      readSchema({ "~standard": { version: 1, vendor: "acme", validate } }, "input"),
    ).toThrow(/^This acme schema has no JSON Schema/);
    expect(() => readSchema(undefined, "input")).toThrow(/^A schema must be an object/);
    expect(() => readSchema([], "input")).toThrow(/^A schema must be an object/);
    expect(() => readSchema({ description: "x".repeat(2_000_000) }, "input")).toThrow(
      "The schema cannot be used: it is larger than 1 MiB.",
    );
  });
});

/** Zod 3.23 and before had no `~standard`. */
function withoutStandard(): unknown {
  const schema = z3.object({ name: z3.string(), count: z3.number().int().default(3) });
  return new Proxy(schema, {
    has: (target, key) => key !== "~standard" && key in target,
    get: (target, key) => (key === "~standard" ? undefined : Reflect.get(target, key, target)),
  });
}
