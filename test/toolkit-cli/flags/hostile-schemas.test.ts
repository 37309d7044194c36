import { describe, expect, it } from "vitest";
import { listFlags } from "../../../src/toolkit-cli/flags/list-flags.ts";
import { SchemaDocument } from "../../../src/toolkit-cli/flags/schema-document.ts";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { objectOf, parseFlags } from "./parse-flags.ts";

async function input(schema: JsonSchema, ...words: string[]): Promise<JsonValue> {
  const parsed = await parseFlags(schema, words);
  expect(parsed.problems).toEqual([]);
  return parsed.input;
}

function flagsOf(schema: JsonSchema): string[] {
  return listFlags(new SchemaDocument(schema)).map((row) => `${row.flag} ${row.value}`.trim());
}

describe("schemas with references", () => {
  const tree: JsonSchema = {
    ...objectOf({ root: { $ref: "#/$defs/node" } }),
    $defs: {
      node: objectOf({
        "value!": { type: "integer" },
        next: { $ref: "#/$defs/node" },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      }),
    },
  };

  it("follows a cycle as far as a flag goes", async () => {
    expect(
      await input(
        tree,
        "--root.value",
        "1",
        "--root.next.next.value",
        "3",
        "--root.next.value",
        "2",
      ),
    ).toEqual({ root: { value: 1, next: { value: 2, next: { value: 3 } } } });
    expect(await input(tree, "--root", '{"value":1}')).toEqual({ root: { value: 1 } });
  });

  it("lists a cycle as JSON where it comes round", () => {
    expect(flagsOf(tree)).toEqual([
      "--root.value <integer>",
      "--root.next.value <integer>",
      "--root.next.next <JSON>",
      "--root.next.children <JSON>",
      "--root.children <JSON>",
    ]);
  });

  it("survives references that lead nowhere, out, or to themselves", async () => {
    const schema: JsonSchema = {
      ...objectOf({
        a: { $ref: "#/$defs/self" },
        b: { $ref: "#/$defs/ping" },
        c: { $ref: "#/nowhere/at/all" },
        d: { $ref: "file:///etc/passwd" },
        e: { $ref: "#/$defs/odd~1na~0me%20x" },
        f: { $ref: "#/$defs/%zz" },
      }),
      $defs: {
        self: { $ref: "#/$defs/self" },
        ping: { allOf: [{ $ref: "#/$defs/pong" }] },
        pong: { anyOf: [{ $ref: "#/$defs/ping" }, { $ref: "#/$defs/pong" }] },
        "odd/na~me x": { type: "integer" },
      },
    };
    expect(
      await input(schema, "--a=1", "--b=x", "--c={}", "--d", "[1]", "--e", "5", "--f", "y"),
    ).toEqual({
      a: 1,
      b: "x",
      c: {},
      d: [1],
      e: 5,
      f: "y",
    });
  });

  it("is not blown up by references that double", () => {
    const $defs: Record<string, JsonValue> = { d0: { type: "string" } };
    for (let level = 1; level < 60; level++) {
      const below = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { anyOf: [below, { allOf: [below, below] }] };
      $defs[`o${level}`] = objectOf({
        a: { $ref: `#/$defs/o${level - 1}` },
        b: { $ref: `#/$defs/o${level - 1}` },
      });
    }
    const schema = {
      ...objectOf({ x: { $ref: "#/$defs/d59" }, y: { $ref: "#/$defs/o59" } }),
      $defs,
    };
    expect(flagsOf(schema).length).toBeLessThan(20);
  });
});

describe("names", () => {
  it("that clash in kebab-case keep their spelling", async () => {
    const schema = objectOf({
      fooBar: { type: "integer" },
      foo_bar: { type: "integer" },
      "foo-bar": { type: "integer" },
    });
    expect(flagsOf(schema)).toEqual([
      "--fooBar <integer>",
      "--foo_bar <integer>",
      "--foo-bar <integer>",
    ]);
    expect(await input(schema, "--fooBar=1", "--foo_bar=2", "--foo-bar=3")).toEqual({
      fooBar: 1,
      foo_bar: 2,
      "foo-bar": 3,
    });
    const two = objectOf({ fooBar: { type: "integer" }, foo_bar: { type: "integer" } });
    expect((await parseFlags(two, ["--foo-bar", "1"])).problems[0]).toBe(
      "--foo-bar could be any of --fooBar, --foo_bar: write it as one of these",
    );
  });

  it("of any script are flags", async () => {
    const schema = objectOf({
      größe: { type: "integer" },
      名前: { type: "string" },
      "🦀": { type: "string" },
      "a b!": { type: "string" },
    });
    expect(await input(schema, "--größe", "1", "--名前", "x", "--🦀", "y", "--a-b", "z")).toEqual({
      größe: 1,
      名前: "x",
      "🦀": "y",
      "a b": "z",
    });
  });

  it("that the command has itself are written with a dot", async () => {
    const schema = objectOf({
      help: { type: "string" },
      json: { type: "boolean" },
      output: { type: "string" },
      fields: { type: "array" },
      "input!": { type: "string" },
    });
    expect(flagsOf(schema)).toEqual([
      "--input <string>",
      "--.help <string>",
      "--.json",
      "--.output <string>",
      "--.fields <JSON>",
    ]);
    expect(await input(schema, "--.help=a", "--.json", "--.output", "b", "--input=c")).toEqual({
      help: "a",
      json: true,
      output: "b",
      input: "c",
    });
  });

  it("that mean something in JavaScript are only names", async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"object","additionalProperties":{"type":"string"}}}',
    );
    const schema: JsonSchema = { type: "object", properties };
    const parsed = await parseFlags(schema, [
      "--__proto__=a",
      "--constructor=b",
      "--toString.__proto__=c",
      "--json",
      '{"__proto__":"z","hasOwnProperty":1}',
    ]);
    expect(parsed.problems).toEqual([]);
    expect(JSON.stringify(parsed.input)).toBe(
      '{"__proto__":"a","hasOwnProperty":1,"constructor":"b","toString":{"__proto__":"c"}}',
    );
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
    const plain = objectOf({ a: { type: "string" } });
    for (const flag of ["--__proto__=x", "--constructor=x", "--toString.x=1", "--a.__proto__=1"]) {
      expect((await parseFlags(plain, [flag])).problems).toHaveLength(1);
    }
  });

  it("with dots are found before places inside", async () => {
    const schema = objectOf({
      "a.b": { type: "string" },
      a: objectOf({ b: { type: "string" }, c: { type: "string" } }),
    });
    expect(await input(schema, "--a.b=1", "--a.c=2")).toEqual({ "a.b": "1", a: { c: "2" } });
  });

  it("outside the schema need the exact form, and a schema that takes them", async () => {
    const open = {
      ...objectOf({ a: { type: "string" } }),
      additionalProperties: { type: "integer" },
    };
    expect(await input(open, "--.other", "5")).toEqual({ other: 5 });
    expect((await parseFlags(open, ["--other", "5"])).problems).toEqual([
      "there is no flag --other",
    ]);
    expect(await input({ type: "object" }, "--other", "5")).toEqual({ other: 5 });
    expect(await input({ type: "object" }, "--a.b", "5", "--a.c=x")).toEqual({
      a: { b: 5, c: "x" },
    });
    expect((await parseFlags(objectOf({}), ["--other", "5"])).problems).toEqual([
      "there is no flag --other",
    ]);
  });
});

describe("unions and odd schemas", () => {
  const of = (schema: JsonValue, ...words: string[]) => input(objectOf({ x: schema }), ...words);

  it("tries members by what a word looks like", async () => {
    const union = { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] };
    expect(await of(union, "--x", "5")).toEqual({ x: 5 });
    expect(await of(union, "--x", "05")).toEqual({ x: "05" });
    expect(await of(union, "--x", "5.5")).toEqual({ x: "5.5" });
    expect(await of(union, "--x", "null")).toEqual({ x: null });
    expect(await of(union, "--x", '"5"')).toEqual({ x: "5" });
    expect(await of(union, "--x", '"abc"')).toEqual({ x: '"abc"' });
    expect(await of({ type: ["boolean", "string"] }, "--x", "true")).toEqual({ x: true });
    expect(await of({ type: ["boolean", "null"] }, "--x=null")).toEqual({ x: null });
    expect(await of({ type: "string", nullable: true }, "--x=null")).toEqual({ x: null });
  });

  it("takes one word or a list", async () => {
    const union = { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
    expect(await of(union, "--x", "a")).toEqual({ x: "a" });
    expect(await of(union, "--x", "a", "--x", "b")).toEqual({ x: ["a", "b"] });
    expect(await of(union, "--x", '["a"]')).toEqual({ x: ["a"] });
  });

  it("gives every member of a union of objects its flags", async () => {
    const union = {
      oneOf: [
        objectOf({ "kind!": { const: "circle" }, "radius!": { type: "number" } }),
        objectOf({ "kind!": { const: "square" }, "side!": { type: "number" } }),
      ],
    };
    expect(await of(union, "--x.kind", "square", "--x.side", "2")).toEqual({
      x: { kind: "square", side: 2 },
    });
    expect((await parseFlags(objectOf({ x: union }), ["--x.kind=line"])).problems).toEqual([
      '--x.kind must be one of circle, square, not "line"',
    ]);
    expect((await parseFlags(objectOf({ x: union }), ["--x.side=2"])).problems).toEqual([
      "missing: --x.kind <circle|square>",
    ]);
  });

  it("joins what allOf says", async () => {
    const schema: JsonSchema = {
      allOf: [
        objectOf({ "a!": { type: "integer" } }),
        { properties: { b: { enum: ["x", "y", 1] } } },
      ],
      properties: { b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(await input(schema, "--a=1", "--b=y")).toEqual({ a: 1, b: "y" });
    expect((await parseFlags(schema, ["--a=1", "--b=1"])).problems).toEqual([
      '--b must be one of x, y, not "1"',
    ]);
  });

  it("takes choices of any kind", async () => {
    const choices = { enum: [1, "1", null, true, "a,b", { a: 1 }] };
    for (const [text, x] of [
      ["1", 1],
      ["null", null],
      ["true", true],
      ["a,b", "a,b"],
      ['{"a":1}', { a: 1 }],
    ] as const) {
      expect(await of(choices, "--x", text)).toEqual({ x });
    }
    expect(await of({ type: "array", items: { enum: ["a,b", "c"] } }, "--x", "a,b")).toEqual({
      x: ["a,b"],
    });
  });

  it("believes no keyword", async () => {
    const schema = {
      type: "object",
      properties: {
        a: true,
        b: false,
        c: 5,
        d: { type: 7 },
        e: { type: ["string", 5] },
        f: { enum: "no" },
        g: { anyOf: {} },
        h: { $ref: 5 },
        i: { type: "object", properties: [], required: "x" },
      },
      required: [1, "zzz"],
    };
    const words = ["a", "c", "d", "f", "g", "h"].map((name) => `--${name}=1`);
    expect(await input(schema, ...words, "--e=1", "--i.k=v")).toEqual({
      a: 1,
      c: 1,
      d: 1,
      f: 1,
      g: 1,
      h: 1,
      e: "1",
      i: { k: "v" },
    });
    expect((await parseFlags(schema, ["--b=1"])).problems).toHaveLength(1);
  });

  it("copes with 500 properties and with deep JSON", async () => {
    const names = Array.from({ length: 500 }, (_, index) => `property${index}`);
    const schema = objectOf(
      Object.fromEntries(names.map((name) => [`${name}!`, { type: "integer" }])),
    );
    const words = names.map((name, index) => `--${name}=${index}`);
    expect(Object.keys((await input(schema, ...words)) ?? {})).toEqual(names);
    expect((await parseFlags(schema, [])).problems[0]).toMatch(/ and 480 more$/);
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(
      (await parseFlags(objectOf({ x: { type: "object" } }), ["--x", `{"a":${deep}}`])).problems,
    ).toEqual(["--x is nested deeper than 200 levels"]);
    const path = Array.from({ length: 200 }, () => "a").join(".");
    expect((await parseFlags(schema, [`--${path}=1`])).problems).toEqual([
      `--${path} names a place too deep`,
    ]);
  });
});
