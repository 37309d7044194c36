import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenapiToolkit } from "../../../../src/mcp-server/toolkits/openapi/openapi-toolkit.ts";
import { callTool } from "../../../../src/toolkit-cli/index.ts";
import { ApiUnderTest, call, sendJson } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

const string = { type: "string" };

describe("OpenapiToolkit", () => {
  it("makes one tool of each operation, named after it", async () => {
    const toolkit = api.toolkit({
      paths: {
        "/pets": {
          get: { operationId: "listPets", summary: "List pets" },
          post: { operationId: "create_pet", description: "Makes a pet.\n\nIt is new." },
        },
        "/pets/{petId}": {
          parameters: [{ name: "petId", in: "path", required: true, schema: string }],
          get: {},
          delete: { operationId: "delete pet", deprecated: true },
          head: { operationId: "list-pets" },
        },
      },
    });
    const tools = await toolkit.tools();
    expect(
      tools.map(({ name, description, isReadOnly }) => [name, description, isReadOnly]),
    ).toEqual([
      ["list-pets", "List pets", true],
      ["create-pet", "Makes a pet.\n\nIt is new.", false],
      ["get-pets-pet-id", "GET /pets/{petId}", true],
      ["list-pets-2", "HEAD /pets/{petId}", true],
    ]);
  });

  it("sends parameters and a body that stand in one input", async () => {
    const toolkit = api.toolkit({
      paths: {
        "/shops/{shop}/pets": {
          post: {
            operationId: "addPet",
            parameters: [
              { name: "shop", in: "path", required: true, schema: string },
              { name: "tags", in: "query", schema: { type: "array", items: string } },
              { name: "X-Trace", in: "header", schema: string },
              { name: "mood", in: "cookie", schema: string },
            ],
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    required: ["name"],
                    properties: {
                      id: { type: "integer", readOnly: true },
                      name: string,
                      age: { type: "integer" },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
    const [tool] = await toolkit.tools();
    expect(tool?.input).toEqual({
      type: "object",
      properties: {
        shop: string,
        tags: { type: "array", items: string },
        "X-Trace": string,
        mood: string,
        name: string,
        age: { type: "integer" },
      },
      required: ["shop", "name"],
      additionalProperties: false,
    });
    const input = { shop: "a/b", tags: ["x", "y z"], "X-Trace": "t", mood: "good", name: "Rex" };
    expect(await call(toolkit, "add-pet", input)).toEqual({
      type: "result",
      value: { kind: "json", json: { ok: true } },
    });
    expect(api.seen[0]).toMatchObject({
      method: "POST",
      url: "/v1/shops/a%2Fb/pets?tags=x&tags=y%20z",
      headers: { "x-trace": "t", cookie: "mood=good", "content-type": "application/json" },
      body: '{"name":"Rex"}',
    });
    expect(await call(toolkit, "add-pet", { shop: "s" })).toMatchObject({
      type: "error",
      code: "usage",
    });
    expect(api.seen).toHaveLength(1);
  });

  it("keeps a body whose names meet those of parameters in one property", async () => {
    const schema = { type: "object", properties: { id: string } };
    const toolkit = api.toolkit({
      paths: {
        "/pets/{id}": {
          put: {
            operationId: "put",
            parameters: [{ name: "id", in: "path", required: true, schema: string }],
            requestBody: { content: { "application/json": { schema } } },
          },
        },
      },
    });
    await call(toolkit, "put", { id: "1", body: { id: "2" } });
    expect(api.seen[0]).toMatchObject({ url: "/v1/pets/1", body: '{"id":"2"}' });
  });

  it("never leaves the API's paths, whatever a parameter says", async () => {
    const toolkit = api.toolkit({ paths: pathWith("/pets/{id}/toys") });
    for (const id of ["..", ".", ""]) {
      expect(await call(toolkit, "get", { id })).toMatchObject({ type: "error", code: "usage" });
    }
    for (const id of ["../..", "a?b=c", "a#b", "%2e%2e", "//x.example", "\\..\\..", "a\0b"]) {
      expect(await call(toolkit, "get", { id })).toMatchObject({ type: "result" });
    }
    expect(api.seen.map(({ url }) => url)).toEqual([
      "/v1/pets/..%2F../toys",
      "/v1/pets/a%3Fb%3Dc/toys",
      "/v1/pets/a%23b/toys",
      "/v1/pets/%252e%252e/toys",
      "/v1/pets/%2F%2Fx.example/toys",
      "/v1/pets/%5C..%5C../toys",
      "/v1/pets/a%00b/toys",
    ]);
  });

  it("does not put line breaks into headers", async () => {
    const toolkit = api.toolkit({
      paths: {
        "/": {
          get: { operationId: "get", parameters: [{ name: "X-A", in: "header", schema: string }] },
        },
      },
    });
    expect(await call(toolkit, "get", { "X-A": "1\r\nX-Admin: 1" })).toMatchObject({
      type: "error",
      code: "usage",
      message: "X-A: it has a line break or another character that headers cannot have.",
    });
    expect(api.seen).toEqual([]);
  });

  it("gives text as text, bytes as bytes and nothing as nothing", async () => {
    const toolkit = api.toolkit({
      paths: { "/": { get: { operationId: "get" }, head: { operationId: "head" } } },
    });
    expect(await answered(toolkit, "text/plain", "hello")).toEqual({ kind: "text", text: "hello" });
    expect(await answered(toolkit, "image/png", "\x89P")).toEqual({
      kind: "bytes",
      base64: Buffer.from("\x89P").toString("base64"),
      mimeType: "image/png",
    });
    expect(await answered(toolkit, "application/problem+json", "1")).toEqual({
      kind: "json",
      json: 1,
    });
    expect(await answered(toolkit, "application/json", "oops")).toEqual({
      kind: "text",
      text: "oops",
    });
    expect(await answered(toolkit, "application/json", '"text"')).toEqual({
      kind: "json",
      json: "text",
    });
    api.answer = (_, response) => response.writeHead(204).end();
    expect(await call(toolkit, "get")).toEqual({ type: "result" });
    api.answer = (_, response) =>
      response.writeHead(200, { etag: '"1"', "set-cookie": "a=b" }).end();
    const head = await call(toolkit, "head");
    expect(head).toMatchObject({ type: "result", value: { json: { etag: '"1"' } } });
    expect(JSON.stringify(head)).not.toContain("a=b");
  });

  it("shows what the API says of a failure, and cuts it", async () => {
    const toolkit = api.toolkit({ paths: { "/p": { get: { operationId: "get" } } } });
    api.answer = (_, response) => sendJson(response, { error: "no such pet" }, 404);
    expect(await call(toolkit, "get")).toEqual({
      type: "error",
      code: "failed",
      message: 'GET /p answers 404 Not Found: {"error":"no such pet"}',
    });
    api.answer = (_, response) =>
      response.writeHead(500, { "content-type": "text/html" }).end("x".repeat(100_000));
    const failure = await call(toolkit, "get");
    expect(failure).toMatchObject({ message: `GET /p answers 500 Internal Server Error` });
    api.answer = (_, response) => response.writeHead(401).end();
    expect(await call(toolkit, "get")).toMatchObject({
      message:
        "GET /p answers 401 Unauthorized (this toolkit has no credentials for it; the operator gives them by auth)",
    });
  });

  it("stops reading an answer at its limit", async () => {
    const toolkit = api.toolkit({ paths: { "/p": { get: { operationId: "get" } } } });
    api.answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const endless = new Readable({
        read() {
          this.push("x".repeat(65_536));
        },
      });
      response.on("close", () => endless.destroy());
      endless.pipe(response);
    };
    expect(await call(toolkit, "get")).toMatchObject({
      code: "failed",
      message: "GET /p answers with more than 16777216 bytes, the limit. Ask for less.",
    });
  });

  it("passes on events as they come, secrets hidden", async () => {
    const toolkit = api.toolkit(
      { paths: { "/p": { get: { operationId: "get" } } } },
      { auth: { type: "bearer", token: { env: "TOKEN" } }, env: { TOKEN: "s3cr3t-t0ken" } },
    );
    const sent = Promise.withResolvers<ServerResponse>();
    api.answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\ndata: s3cr3t-");
      sent.resolve(response);
    };
    const [tool] = await toolkit.tools();
    if (tool === undefined) throw new Error("There is no tool.");
    const stream = callTool(tool, {}, { vm: "v", pid: 1, command: "c" });
    const text = (value: string): object => ({
      type: "chunk",
      value: { kind: "text", text: value },
    });
    expect((await stream.next()).value).toEqual(text("data: 1\n"));
    (await sent.promise).end("t0ken\n\nend");
    expect((await stream.next()).value).toEqual(text("data: [credential]\n\n"));
    expect((await stream.next()).value).toEqual(text("end"));
    expect((await stream.next()).value).toEqual({ type: "result" });
  });

  it("ends a call that takes longer than its time", async () => {
    const toolkit = api.toolkit(
      { paths: { "/p": { get: { operationId: "get" } } } },
      { timeoutMs: 50 },
    );
    api.answer = () => undefined;
    expect(await call(toolkit, "get")).toMatchObject({ type: "error", code: "timeout" });
  });

  it("says that an API cannot be reached", async () => {
    const toolkit = api.toolkit({
      paths: { "/p": { get: { operationId: "get" } } },
      servers: [{ url: "http://127.0.0.1:1" }],
    });
    expect(await call(toolkit, "get")).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /^The API at http:\/\/127\.0\.0\.1:1 cannot be reached( \(\w+\))?\.$/,
      ),
    });
  });

  it("asks for approval as the operator says", async () => {
    const paths = {
      "/p": {
        get: { operationId: "read" },
        post: { operationId: "make" },
        delete: { operationId: "drop" },
      },
    };
    const marked = async (approval: "none" | "writes" | "all" | string[]): Promise<string[]> =>
      (await api.toolkit({ paths }, { approval }).tools())
        .filter((one) => one.needsApproval)
        .map(({ name }) => name);
    expect(await marked("none")).toEqual([]);
    expect(await marked("writes")).toEqual(["make", "drop"]);
    expect(await marked("all")).toEqual(["read", "make", "drop"]);
    expect(await marked(["DELETE"])).toEqual(["drop"]);
    expect(await marked(["re*"])).toEqual(["read"]);
  });

  it("says what is wrong with a document, and takes it once it is put right", async () => {
    const empty = api.toolkit({ paths: {} });
    await expect(empty.tools()).rejects.toMatchObject({
      code: "unavailable",
      message: /No operation/,
    });
    api.toolkit({ paths: { "/p": { get: { operationId: "get" } } } });
    expect(await empty.tools()).toHaveLength(1);
    const paths = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [`/${index}`, { get: {} }]),
    );
    await expect(api.toolkit({ paths }).tools()).rejects.toMatchObject({
      message: /has 1001 operations/,
    });
    expect(
      await api.toolkit({ paths }, { include: { operations: ["get-5*"] } }).tools(),
    ).toHaveLength(111);
  });
});

function pathWith(path: string): object {
  const parameters = [{ name: "id", in: "path", required: true, schema: string }];
  return { [path]: { get: { operationId: "get", parameters } } };
}

async function answered(toolkit: OpenapiToolkit, type: string, body: string): Promise<unknown> {
  api.answer = (_, response) => response.writeHead(200, { "content-type": type }).end(body);
  const last = await call(toolkit, "get");
  return last?.type === "result" ? last.value : last;
}
