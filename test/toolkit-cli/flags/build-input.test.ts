import { describe, expect, it } from "vitest";
import type { JsonSchema, JsonValue } from "../../../src/toolkit-cli/json-schema.ts";
import { objectOf, parseFlags } from "./parse-flags.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const state = { enum: ["open", "closed", "all"] };
const list = (items: JsonValue) => ({ type: "array", items });

async function input(schema: JsonSchema, ...words: string[]): Promise<JsonValue> {
  const parsed = await parseFlags(schema, words);
  expect(parsed.problems).toEqual([]);
  return parsed.input;
}

async function problems(schema: JsonSchema, ...words: string[]): Promise<readonly string[]> {
  return (await parseFlags(schema, words)).problems;
}

describe("flags of scalars", () => {
  const schema = objectOf({
    title: string,
    maxResults: integer,
    ratio: number,
    dryRun: boolean,
    state,
  });

  it("reads strings, numbers, switches and choices", async () => {
    expect(
      await input(
        schema,
        "--title",
        "a b",
        "--max-results=7",
        "--ratio",
        "-.5",
        "--dry-run",
        "--state",
        "open",
      ),
    ).toEqual({ title: "a b", maxResults: 7, ratio: -0.5, dryRun: true, state: "open" });
  });

  it("takes a property's own spelling, too", async () => {
    expect(await problems(schema, "--maxResults", "7", "--max-results", "7")).toEqual([
      "--maxResults is given more than once, and takes one value",
    ]);
    expect(await input(schema, "--maxResults", "7")).toEqual({ maxResults: 7 });
    expect(await input(schema, "--max_results", "7")).toEqual({ maxResults: 7 });
  });

  it("reads every way to say yes and no", async () => {
    const ways: [string[], boolean][] = [
      [["--dry-run"], true],
      [["--no-dry-run"], false],
      [["--dry-run=false"], false],
      [["--dry-run=true"], true],
      [["--dry-run", "false"], false],
    ];
    for (const [words, dryRun] of ways) expect(await input(schema, ...words)).toEqual({ dryRun });
  });

  it("refuses what is not of the kind, all in one go", async () => {
    expect(
      await problems(
        schema,
        "--max-results",
        "7.5",
        "--ratio",
        "abc",
        "--dry-run=perhaps",
        "--state",
        "opne",
      ),
    ).toEqual([
      '--max-results needs an integer, not "7.5"',
      '--ratio needs a number, not "abc"',
      '--dry-run needs true or false, not "perhaps"',
      '--state must be one of open, closed, all, not "opne"; did you mean open?',
    ]);
  });

  it("refuses numbers that would not arrive as they are", async () => {
    expect(await problems(schema, "--max-results", "9007199254740993")).toEqual([
      '--max-results is too large to be exact: "9007199254740993"',
    ]);
    expect(await problems(schema, "--ratio", "1e999")).toEqual(['--ratio is too large: "1e999"']);
    expect(await problems(schema, "--ratio", "NaN")).toEqual(['--ratio needs a number, not "NaN"']);
    expect(await problems(schema, "--ratio", "")).toEqual(['--ratio needs a number, not ""']);
  });

  it("suggests the flag that was meant, and lists every problem", async () => {
    expect(await problems(schema, "--titel", "x", "--max-result=3", "--zzz")).toEqual([
      "there is no flag --titel; did you mean --title?",
      "there is no flag --max-result; did you mean --max-results?",
      "there is no flag --zzz",
    ]);
    expect(await problems(schema, "-t", "x")).toEqual([
      "there is no flag -t: flags have two dashes (a value that starts with a dash goes behind --)",
      '"x" stands alone: values are given by flags',
    ]);
    expect(await problems(schema, "--title")).toEqual(["--title needs a value"]);
  });

  it("refuses a second value for what takes one", async () => {
    expect(await problems(schema, "--title", "a", "--title", "b")).toEqual([
      "--title is given more than once, and takes one value",
    ]);
    expect(await problems(schema, "--dry-run", "--no-dry-run")).toEqual([
      "--dry-run is given twice",
    ]);
  });

  it("names all that is missing in one sentence", async () => {
    const needs = objectOf({ "owner!": string, "repo!": string, "state!": state, page: integer });
    expect(await problems(needs)).toEqual([
      "missing: --owner <string>, --repo <string>, --state <open|closed|all>",
    ]);
    expect(await problems(objectOf({ "a!": { ...string, default: "x" } }))).toEqual([]);
  });
});

describe("a flag's value", () => {
  const schema = objectOf({ title: string, tags: list(string), limit: integer });

  it("is only ever a value", async () => {
    const texts = [
      "--limit",
      "--",
      "-x",
      "--limit=3",
      "$(id)",
      "; rm -rf /",
      "a\nb",
      "",
      "{}",
      "[1",
      "null",
      "'",
    ];
    for (const title of texts) expect(await input(schema, "--title", title)).toEqual({ title });
    for (const tag of texts) expect(await input(schema, "--tags", tag)).toEqual({ tags: [tag] });
    for (const title of texts) expect(await input(schema, `--title=${title}`)).toEqual({ title });
  });

  it("is read from files and stdin, and escaped by a second @", async () => {
    const parsed = await parseFlags(
      schema,
      ["--title", "@a.txt", "--tags", "-", "--tags", "@@x", "--limit=@n"],
      {
        "a.txt": "long\ntext\n",
        "-": "in",
        n: " 12\n",
      },
    );
    expect(parsed).toEqual({
      input: { title: "long\ntext\n", tags: ["in", "@x"], limit: 12 },
      problems: [],
    });
    expect(await problems(schema, "--title", "@nothing")).toEqual([
      "--title: nothing: No such file",
    ]);
  });

  it("does not read what a file holds as @file again", async () => {
    const parsed = await parseFlags(schema, ["--title", "@a"], { a: "@b", b: "secret" });
    expect(parsed.input).toEqual({ title: "@b" });
  });

  it("is refused where it is no text", async () => {
    expect(await problems(schema, "--title", "\udc80")).toEqual([
      "--title is not UTF-8 text (base64 it first?)",
    ]);
  });
});

describe("values without a flag", () => {
  it("go to the one required property", async () => {
    expect(
      await input(objectOf({ "query!": string, limit: integer }), "two words", "--limit", "3"),
    ).toEqual({
      query: "two words",
      limit: 3,
    });
    expect(await input(objectOf({ "paths!": list(string) }), "a", "b")).toEqual({
      paths: ["a", "b"],
    });
    expect(await input(objectOf({ "n!": number }), "-5")).toEqual({ n: -5 });
  });

  it("are taken as they are behind --", async () => {
    const schema = objectOf({ "query!": string });
    for (const query of ["@/etc/passwd", "-", "--help", "-x"]) {
      expect(await input(schema, "--", query)).toEqual({ query });
    }
  });

  it("are refused where it is not plain which is meant", async () => {
    expect(await problems(objectOf({ "a!": string, "b!": string }), "x", "--a=1", "--b=2")).toEqual(
      ['"x" stands alone: values are given by flags'],
    );
    expect(await problems(objectOf({ "query!": string }), "two", "words")).toEqual([
      '"words" is one value too many (quote values with blanks)',
    ]);
  });
});

describe("flags of lists and objects", () => {
  const filter = objectOf({ "minAge!": integer, name: objectOf({ first: string }) });
  const schema = objectOf({
    tags: list(string),
    ids: list(integer),
    states: list(state),
    filter,
    items: list(objectOf({ "name!": string, n: integer })),
    pair: { type: "array", prefixItems: [string, integer] },
    labels: { type: "object", additionalProperties: string },
    groups: { type: "object", additionalProperties: filter },
    free: {},
  });

  it("reads lists by repetition and as JSON; commas only where no item has one", async () => {
    expect(await input(schema, "--tags", "a,b", "--tags", "c")).toEqual({ tags: ["a,b", "c"] });
    expect(await input(schema, "--tags", '["a","b"]', "--tags", "c")).toEqual({
      tags: ["a", "b", "c"],
    });
    expect(await input(schema, "--tags", "[]")).toEqual({ tags: [] });
    expect(await input(schema, "--tags", "[1]")).toEqual({ tags: ["[1]"] });
    expect(await input(schema, "--ids", "1,2", "--ids", "3", "--states=open,all")).toEqual({
      ids: [1, 2, 3],
      states: ["open", "all"],
    });
    expect(await problems(schema, "--ids", "1,x")).toEqual(['--ids needs an integer, not "x"']);
  });

  it("reads nested objects", async () => {
    expect(await input(schema, "--filter.min-age", "3", "--filter.name.first", "x")).toEqual({
      filter: { minAge: 3, name: { first: "x" } },
    });
    expect(await input(schema, "--filter", '{"minAge":3}')).toEqual({ filter: { minAge: 3 } });
    expect(await problems(schema, "--filter.name.first", "x")).toEqual([
      "missing: --filter.min-age <integer>",
    ]);
    expect(await problems(schema, "--filter", '{"minAge":3}', "--filter.min-age", "3")).toEqual([
      "--filter.min-age and --filter exclude each other",
    ]);
    expect(await problems(schema, "--filter", "{bad")).toEqual([
      expect.stringMatching(/^--filter is not valid JSON: /),
    ]);
    expect(await problems(schema, "--filter.minage", "3")).toEqual([
      "there is no flag --filter.minage; did you mean --filter.min-age?",
    ]);
  });

  it("reads lists of objects by position and as JSON", async () => {
    expect(
      await input(schema, "--items.0.name", "a", "--items.1.name", "b", "--items.1.n", "2"),
    ).toEqual({
      items: [{ name: "a" }, { name: "b", n: 2 }],
    });
    expect(await input(schema, "--items", '{"name":"a"}', "--items", '[{"name":"b"}]')).toEqual({
      items: [{ name: "a" }, { name: "b" }],
    });
    expect(await problems(schema, "--items.1.name", "a")).toEqual([
      "--items.1.name: the list has no item 0",
    ]);
    expect(await problems(schema, "--items.99999999.name", "a")).toEqual([
      "--items.99999999.name names a position past 9999",
    ]);
  });

  it("reads tuples and records", async () => {
    expect(await input(schema, "--pair", "5", "--pair", "5")).toEqual({ pair: ["5", 5] });
    expect(await input(schema, "--pair.0", "5", "--pair.1", "5")).toEqual({ pair: ["5", 5] });
    expect(await input(schema, "--labels.a.b", "1", "--labels.aB", "2")).toEqual({
      labels: { "a.b": "1", aB: "2" },
    });
    expect(await input(schema, "--labels", "x=1=2", "--labels", "y=")).toEqual({
      labels: { x: "1=2", y: "" },
    });
    expect(await input(schema, "--groups.one.min-age", "1")).toEqual({
      groups: { one: { minAge: 1 } },
    });
  });

  it("reads values without a schema as JSON where it is, else as text", async () => {
    for (const [text, free] of [
      ["5", 5],
      ["x", "x"],
      ['{"a":1}', { a: 1 }],
      ["{a", "{a"],
      ["true", true],
      ['"5"', "5"],
    ] as const) {
      expect(await input(schema, "--free", text)).toEqual({ free });
    }
    expect(await input(schema, "--free.a.b", "1")).toEqual({ free: { a: { b: 1 } } });
  });
});

describe("--json", () => {
  const schema = objectOf({
    "a!": integer,
    b: objectOf({ c: integer, d: integer }),
    tags: list(string),
  });

  it("lies below the flags", async () => {
    expect(
      await input(
        schema,
        "--json",
        '{"a":1,"b":{"c":1,"d":1},"tags":["x"]}',
        "--a",
        "2",
        "--b.c",
        "3",
        "--tags",
        "y",
      ),
    ).toEqual({ a: 2, b: { c: 3, d: 1 }, tags: ["y"] });
    expect(await input(schema, "--json", '{"a":1,"b":5}', "--b.c", "3")).toEqual({
      a: 1,
      b: { c: 3 },
    });
    expect(await input(schema, "--tags.1=z", "--json", '{"a":1,"tags":["x","y"]}')).toEqual({
      a: 1,
      tags: ["x", "z"],
    });
  });

  it("does not save from what is required", async () => {
    expect(await problems(schema, "--json", "{}")).toEqual(["missing: --a <integer>"]);
  });
});
