import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../../src/toolkit-cli/index.ts";
import { ApiUnderTest, call, type Seen } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

const string = { type: "string" };

interface Content {
  readonly schema: object;
  readonly encoding?: object;
}

async function send(type: string, content: Content, input: JsonValue): Promise<Seen> {
  const requestBody = { required: true, content: { [type]: content } };
  const toolkit = api.toolkit({ paths: { "/": { post: { operationId: "post", requestBody } } } });
  expect(await call(toolkit, "post", input)).toMatchObject({ type: "result" });
  const [seen] = api.seen;
  if (seen === undefined) throw new Error("Nothing was sent.");
  return seen;
}

describe("request bodies", () => {
  it("are JSON of any shape", async () => {
    const schema = { oneOf: [{ type: "array", items: string }, string] };
    const seen = await send("application/merge-patch+json", { schema }, { body: ["a"] });
    expect(seen.body).toBe('["a"]');
    expect(seen.headers["content-type"]).toBe("application/merge-patch+json");
  });

  it("put the properties of all that an object is made of beside each other", async () => {
    const schema = {
      allOf: [
        { type: "object", required: ["a"], properties: { a: string } },
        { type: "object", properties: { b: { type: "object", properties: { c: string } } } },
      ],
    };
    const seen = await send("application/json", { schema }, { a: "1", b: { c: "2" } });
    expect(seen.body).toBe('{"a":"1","b":{"c":"2"}}');
  });

  it("are forms, whose objects and lists go by their encoding", async () => {
    const nested = { type: "object", properties: { x: string } };
    const schema = {
      type: "object",
      properties: {
        a: string,
        list: { type: "array", items: string },
        deep: nested,
        plain: nested,
      },
    };
    const encoding = { deep: { style: "deepObject", explode: true } };
    const input = { a: "1&2=3", list: ["x", "y"], deep: { x: "é" }, plain: { x: "1" } };
    const seen = await send("application/x-www-form-urlencoded", { schema, encoding }, input);
    expect(seen.body).toBe(
      "a=1%262%3D3&list=x&list=y&deep[x]=%C3%A9&plain=%7B%22x%22%3A%221%22%7D",
    );
    expect(seen.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  });

  it("are forms of parts, whose files are base64 in the input", async () => {
    const schema = {
      type: "object",
      properties: {
        name: string,
        meta: { type: "object", properties: { n: { type: "integer" } } },
        file: { type: "string", format: "binary" },
        more: { type: "array", items: { type: "string", format: "binary" } },
      },
    };
    const encoding = { file: { contentType: "image/png" } };
    const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
    const input = {
      name: "x",
      meta: { n: 1 },
      file: base64("\x00\xff"),
      more: [base64("1"), base64("2")],
    };
    const { headers, body } = await send("multipart/form-data", { schema, encoding }, input);
    const form = await new Response(Buffer.from(body, "latin1"), {
      headers: { "content-type": headers["content-type"] ?? "" },
    }).formData();
    const shown = await Promise.all(
      [...form].map(async ([name, value]) =>
        typeof value === "string"
          ? [name, value]
          : [name, value.type, Buffer.from(await value.arrayBuffer()).toString("latin1")],
      ),
    );
    expect(shown).toEqual([
      ["name", "x"],
      ["meta", "application/json", '{"n":1}'],
      ["file", "image/png", "\x00\xff"],
      ["more", "application/octet-stream", "1"],
      ["more", "application/octet-stream", "2"],
    ]);
  });

  it("are text as it is, and bytes from base64", async () => {
    expect((await send("text/csv", { schema: string }, { body: "a,b\n" })).body).toBe("a,b\n");
    const bytes = Buffer.from([0, 255, 10]).toString("base64");
    await send(
      "application/octet-stream",
      { schema: { ...string, format: "binary" } },
      { body: bytes },
    );
    expect(api.seen[1]).toMatchObject({
      body: "\x00\xff\n",
      headers: { "content-type": "application/octet-stream" },
    });
  });

  it("are refused where they are no base64", async () => {
    const requestBody = { content: { "application/pdf": {} } };
    const toolkit = api.toolkit({ paths: { "/": { post: { operationId: "post", requestBody } } } });
    expect(await call(toolkit, "post", { body: "no base64!" })).toMatchObject({
      code: "usage",
      message: "body: must be base64.",
    });
    expect(await call(toolkit, "post", {})).toMatchObject({ type: "result" });
    expect(api.seen[0]?.body).toBe("");
  });

  it("are refused at once where bytes are no base64, however long", async () => {
    const schema = { type: "object", properties: { file: { type: "string", format: "binary" } } };
    const requestBody = { required: true, content: { "multipart/form-data": { schema } } };
    const toolkit = api.toolkit({ paths: { "/": { post: { operationId: "post", requestBody } } } });
    for (const file of [`${" ".repeat(5_000_000)}!`, `${"= ".repeat(1_000_000)}!`, "a==="]) {
      expect(await call(toolkit, "post", { file })).toMatchObject({ type: "error", code: "usage" });
    }
    expect(await call(toolkit, "post", { file: "YQ = =\n" })).toMatchObject({ type: "result" });
  });
});
