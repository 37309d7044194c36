import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeToolkit, ToolError } from "../../../../src/toolkit-cli/index.ts";
import { ApiUnderTest } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

/** JSON that looks like parts of a document, with names that documents and JavaScript have. */
const names = [
  "$ref allOf anyOf items properties required type schema content parameters requestBody responses",
  "get post application/json multipart/form-data name in path query style explode encoding nullable",
  "readOnly additionalProperties default enum 200 tags security __proto__ constructor toString",
].flatMap((line) => line.split(" "));
const leaf = fc.oneof(
  fc.constantFrom(
    "#/paths",
    "#",
    "#/paths/~1a",
    "#/%",
    "object",
    "string",
    "array",
    "path",
    "id",
    "form",
  ),
  fc.constantFrom(null, true, false, 0, -1, 1e308),
  fc.string(),
);
const { part } = fc.letrec((tie) => ({
  part: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("part"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie("part"), { maxKeys: 6 }),
  ),
}));

describe("a hostile document", () => {
  it("gives tools or says what is wrong, and breaks nothing", async () => {
    const operation = fc.dictionary(fc.constantFrom(...names), part, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(operation, operation, part, async (get, post, schemas) => {
        const toolkit = api.toolkit({
          paths: { "/a/{id}": { get, post } },
          components: { schemas },
        });
        try {
          const { tools } = await describeToolkit(toolkit);
          expect(JSON.stringify(tools).length).toBeLessThan(1_000_000);
          for (const tool of await toolkit.tools())
            await tool.validate({ id: "1" }).catch(isSchemaError);
        } catch (error) {
          expect(error).toBeInstanceOf(ToolError);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("may have names that are no names, and thousands of them", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`naïve ${index} 🦄`, { type: "string" }]),
    );
    const requestBody = {
      content: { "application/json": { schema: { type: "object", properties } } },
    };
    const toolkit = api.toolkit({
      paths: { "/ü": { post: { operationId: "übung 🦄", requestBody } } },
    });
    const [tool] = await toolkit.tools();
    expect(tool?.name).toBe("übung");
    expect(Object.keys(tool?.input["properties"] ?? {})).toHaveLength(500);
  });

  it("may refer to itself many times over, or have thousands of properties, at little cost", async () => {
    const self = { $ref: "#/components/schemas/Self" };
    const allOf = Array.from({ length: 100 }, () => self);
    const names = Array.from({ length: 20_000 }, (_, index) => [
      `name${index}`,
      { type: "string" },
    ]);
    const wide = { type: "object", properties: Object.fromEntries(names) };
    const post = (operationId: string, schema: object): object => ({
      post: { operationId, requestBody: { content: { "application/json": { schema } } } },
    });
    const toolkit = api.toolkit({
      paths: { "/a": post("self", self), "/b": post("wide", wide) },
      components: { schemas: { Self: { allOf, properties: { a: self } } } },
    });
    const { tools } = await describeToolkit(toolkit);
    expect(tools.map(({ input }) => Object.keys(input["properties"] ?? {}).length)).toEqual([
      1, 20_000,
    ]);
  });

  it("cannot make the server read other files or addresses", async () => {
    writeFileSync(join(api.directory, "secret.json"), '{"type":"string","description":"s3cr3t"}');
    const refs = [
      "secret.json",
      "./secret.json#/description",
      `${api.origin}/schema.json`,
      "file:///etc/passwd",
    ];
    const parameters = refs.map(($ref, index) => ({
      name: `p${index}`,
      in: "query",
      schema: { $ref },
    }));
    const get = {
      operationId: "get",
      parameters: [...parameters, { $ref: `${api.origin}/parameter` }],
    };
    const toolkit = api.toolkit({ paths: { "/a": { get }, "/b": { $ref: `${api.origin}/path` } } });
    expect(JSON.stringify(await describeToolkit(toolkit))).not.toContain("s3cr3t");
    expect(api.seen).toEqual([]);
  });
});

/** A schema that cannot be checked against is said to be so. */
function isSchemaError(error: unknown): void {
  expect(error).toBeInstanceOf(Error);
}
