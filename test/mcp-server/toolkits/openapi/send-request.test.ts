import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { retryAfterMs } from "../../../../src/mcp-server/toolkits/openapi/send-request.ts";
import { ApiUnderTest, call, sendJson } from "./api-under-test.ts";

let api: ApiUnderTest;
let other: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
  other = await new ApiUnderTest().listen();
});
afterEach(async () => {
  await api.close();
  await other.close();
});

const paths = {
  "/p": {
    get: { operationId: "get" },
    post: {
      operationId: "post",
      requestBody: { required: true, content: { "text/plain": { schema: { type: "string" } } } },
    },
  },
};
const auth = { type: "bearer", token: { env: "TOKEN" } } as const;
const env = { TOKEN: "s3cr3t-t0ken" };

describe("redirects", () => {
  it("are followed within the API, with credentials", async () => {
    api.answer = ({ url }, response) => {
      if (url === "/v1/p") response.writeHead(302, { location: "/v1/q" }).end();
      else sendJson(response, { url });
    };
    const toolkit = api.toolkit({ paths }, { auth, env });
    expect(await call(toolkit, "get")).toMatchObject({ value: { json: { url: "/v1/q" } } });
    expect(api.seen[1]?.headers.authorization).toBe("Bearer s3cr3t-t0ken");
  });

  it("turn a POST into a GET or leave it what it is, as fetch does", async () => {
    const toolkit = api.toolkit({ paths });
    for (const status of [303, 307]) {
      api.answer = ({ url }, response) => {
        if (url === "/v1/p") response.writeHead(status, { location: "/v1/q" }).end();
        else sendJson(response, {});
      };
      await call(toolkit, "post", { body: "hello" });
    }
    expect(api.seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/v1/p", "hello"],
      ["GET", "/v1/q", ""],
      ["POST", "/v1/p", "hello"],
      ["POST", "/v1/q", "hello"],
    ]);
  });

  it("to another origin are not followed, nor those to no address", async () => {
    const toolkit = api.toolkit({ paths }, { auth, env });
    for (const location of [
      `${other.origin}/x`,
      "http://169.254.169.254/latest",
      "file:///etc/passwd",
      "http://[",
    ]) {
      api.answer = (_, response) => response.writeHead(302, { location }).end();
      expect(await call(toolkit, "get")).toMatchObject({
        code: "failed",
        message: expect.stringMatching(/^The API redirects to .*, which is not followed\./),
      });
    }
    expect(other.seen).toEqual([]);
  });

  it("go to origins that the operator allows, without anything of who asks", async () => {
    const parameters = [
      { name: "X-Private", in: "header", schema: { type: "string" } },
      { name: "mood", in: "cookie", schema: { type: "string" } },
    ];
    const toolkit = api.toolkit(
      { paths: { "/p": { get: { operationId: "get", parameters } } } },
      {
        auth: [auth, { type: "apiKey", in: "query", name: "key", value: { env: "TOKEN" } }],
        env,
        origins: [`${other.origin}/ignored`],
        headers: { "x-fixed": "1" },
      },
    );
    api.answer = (_, response) =>
      response.writeHead(302, { location: `${other.origin}/file` }).end();
    expect(await call(toolkit, "get", { "X-Private": "p", mood: "m" })).toMatchObject({
      type: "result",
    });
    const [seen] = other.seen;
    expect(seen?.url).toBe("/file");
    expect(Object.keys(seen?.headers ?? {}).toSorted()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "sec-fetch-mode",
      "user-agent",
    ]);
  });

  it("that go round in circles end", async () => {
    api.answer = (_, response) => response.writeHead(302, { location: "/v1/p" }).end();
    expect(await call(api.toolkit({ paths }), "get")).toMatchObject({
      message: "The API redirects more than 5 times.",
    });
    expect(api.seen).toHaveLength(6);
  });
});

describe("an API that is busy", () => {
  it("is asked again when it says when", async () => {
    api.answer = (_, response) => {
      if (api.seen.length < 3) response.writeHead(429, { "retry-after": "0" }).end();
      else sendJson(response, { ok: true });
    };
    expect(await call(api.toolkit({ paths }), "get")).toMatchObject({ type: "result" });
    expect(api.seen).toHaveLength(3);
  });

  it("is asked four times at most", async () => {
    api.answer = (_, response) => response.writeHead(503, { "retry-after": "0" }).end();
    expect(await call(api.toolkit({ paths }), "get")).toMatchObject({
      message: "GET /p answers 503 Service Unavailable",
    });
    expect(api.seen).toHaveLength(4);
  });

  it("is not asked again for what may have happened already, or after long", async () => {
    api.answer = (_, response) => response.writeHead(503, { "retry-after": "0" }).end();
    await call(api.toolkit({ paths }), "post", { body: "x" });
    expect(api.seen).toHaveLength(1);
    api.answer = (_, response) => response.writeHead(429, { "retry-after": "3600" }).end();
    await call(api.toolkit({ paths }), "get");
    expect(api.seen).toHaveLength(2);
  });
});

describe("retryAfterMs", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    ["3", 3000],
    ["Thu, 01 Jan 2026 00:00:05 GMT", 5000],
    ["Thu, 01 Jan 2015 00:00:05 GMT", 0],
    ["soon", undefined],
    [null, undefined],
  ])("reads %s as %s", (value, waitMs) => {
    expect(retryAfterMs(value, now)).toBe(waitMs);
  });
});
