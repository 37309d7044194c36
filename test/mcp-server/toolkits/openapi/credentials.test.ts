import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenapiOptions } from "../../../../src/mcp-server/toolkits/openapi/openapi-options.ts";
import { ApiUnderTest, call, events, type Seen, sendJson } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

const SECRET = "s3cr3t-t0ken&+/ü";
const ASCII = "s3cr3t-t0ken&+/=";
const paths = {
  "/open": { get: { operationId: "open", security: [] } },
  "/own": { get: { operationId: "own" } },
  "/other": { get: { operationId: "other", security: [{ other: [] }] } },
};

type Auth = NonNullable<OpenapiOptions["auth"]>;

async function sent(auth: Auth, env: NodeJS.ProcessEnv = { TOKEN: ASCII }): Promise<object> {
  const toolkit = api.toolkit({ paths }, { auth, env });
  expect(await call(toolkit, "own")).toMatchObject({ type: "result" });
  const { url, headers } = getLast();
  return {
    url,
    authorization: headers.authorization,
    cookie: headers.cookie,
    key: headers["x-key"],
  };
}

describe("credentials of an OpenAPI toolkit", () => {
  it("are put where the API wants them", async () => {
    expect(await sent({ type: "bearer", token: { env: "TOKEN" } })).toMatchObject({
      authorization: `Bearer ${ASCII}`,
    });
    const pair = Buffer.from(`ann:${ASCII}`).toString("base64");
    expect(
      await sent({ type: "basic", username: "ann", password: { env: "TOKEN" } }),
    ).toMatchObject({
      authorization: `Basic ${pair}`,
    });
    const value = { env: "TOKEN" };
    const key = (place: "header" | "query" | "cookie"): Auth => [
      { type: "apiKey", in: place, name: "x-key", value },
    ];
    expect(await sent(key("header"))).toMatchObject({ key: ASCII });
    expect(await sent(key("query"))).toMatchObject({
      url: `/v1/own?x-key=${encodeURIComponent(ASCII)}`,
    });
    expect(await sent(key("cookie"))).toMatchObject({
      cookie: `x-key=${encodeURIComponent(ASCII)}`,
    });
  });

  it("come from a file or a command, seen from the configuration's folder", async () => {
    writeFileSync(join(api.directory, "token"), `${ASCII}\n`);
    expect(await sent({ type: "bearer", token: { file: "token" } })).toMatchObject({
      authorization: `Bearer ${ASCII}`,
    });
    const command = [process.execPath, "-p", "require('fs').readFileSync('token','utf8')"];
    expect(await sent({ type: "bearer", token: { command } })).toMatchObject({
      authorization: `Bearer ${ASCII}`,
    });
  });

  it("go only to operations that the document protects by their scheme", async () => {
    const auth: Auth = [
      { type: "bearer", scheme: "other", token: { env: "TOKEN" } },
      { type: "apiKey", in: "header", name: "x-key", value: { env: "TOKEN" } },
    ];
    const toolkit = api.toolkit(
      { paths, security: [{ main: [] }] },
      { auth, env: { TOKEN: ASCII } },
    );
    for (const name of ["open", "own", "other"]) await call(toolkit, name);
    expect(api.seen.map(({ headers }) => [headers.authorization, headers["x-key"]])).toEqual([
      [undefined, undefined],
      [undefined, ASCII],
      [`Bearer ${ASCII}`, ASCII],
    ]);
  });

  it("are not asked of callers, who cannot set them either", async () => {
    const parameters = [
      { name: "key", in: "query", required: true, schema: { type: "string" } },
      { name: "Authorization", in: "header", schema: { type: "string" } },
      { name: "q", in: "query", schema: { type: "string" } },
    ];
    const toolkit = api.toolkit(
      { paths: { "/p": { get: { operationId: "get", parameters } } } },
      {
        auth: { type: "apiKey", in: "query", name: "key", value: { env: "TOKEN" } },
        env: { TOKEN: "abcdef" },
      },
    );
    const [tool] = await toolkit.tools();
    expect(Object.keys(tool?.input["properties"] ?? {})).toEqual(["q"]);
    expect(await call(toolkit, "get", { q: "1", key: "mine" })).toMatchObject({ code: "usage" });
    await call(toolkit, "get", { q: "a,b" });
    expect(api.seen.map(({ url }) => url)).toEqual(["/v1/p?q=a%2Cb&key=abcdef"]);
  });

  it("win over what a caller's object is taken apart into", async () => {
    const schema = { type: "object" };
    const parameters = [
      { name: "filter", in: "query", schema },
      { name: "jar", in: "cookie", schema },
    ];
    const value = { env: "TOKEN" };
    const auth: Auth = [
      { type: "apiKey", in: "query", name: "k y", value },
      { type: "apiKey", in: "cookie", name: "k", value },
    ];
    const toolkit = api.toolkit(
      { paths: { "/p": { get: { operationId: "get", parameters } } } },
      { auth, env: { TOKEN: "abcdef" } },
    );
    await call(toolkit, "get", { filter: { a: "1", "k y": "mine" }, jar: { k: "mine", b: "2" } });
    expect(getLast().url).toBe("/v1/p?a=1&k%20y=abcdef");
    expect(getLast().headers.cookie).toBe("b=2; k=abcdef");
  });

  it("are read again once after a refusal, where that can change them", async () => {
    writeFileSync(join(api.directory, "token"), "first1");
    const toolkit = api.toolkit({ paths }, { auth: { type: "bearer", token: { file: "token" } } });
    await call(toolkit, "own");
    writeFileSync(join(api.directory, "token"), "second2");
    api.answer = ({ headers }, response) =>
      sendJson(response, {}, headers.authorization === "Bearer second2" ? 200 : 401);
    expect(await call(toolkit, "own")).toMatchObject({ type: "result" });
    writeFileSync(join(api.directory, "token"), "third33");
    api.answer = (_, response) => sendJson(response, {}, 401);
    expect(await call(toolkit, "own")).toMatchObject({
      code: "failed",
      message: expect.stringContaining("the credentials of this toolkit are refused"),
    });
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(
      ["first1", "first1", "second2", "second2", "third33"].map((token) => `Bearer ${token}`),
    );
  });

  it.each([
    [{ env: "NONE" }, "The variable NONE is not set for the server"],
    [{ file: "/nowhere/deep/token" }, "The file token cannot be read"],
    [
      { command: [process.execPath, "-e", "console.error('hush'); process.exit(3)"] },
      "The command node fails (3)",
    ],
    [{ command: ["/nowhere/agent"] }, "The command agent fails (ENOENT)"],
    [{ command: [process.execPath, "-e", ""] }, "The command node is empty"],
  ])("that are missing are said to be: %j", async (token, words) => {
    const toolkit = api.toolkit({ paths }, { auth: { type: "bearer", token } });
    expect(await call(toolkit, "own")).toEqual({
      type: "error",
      code: "unavailable",
      message: `${words}: the credentials of this toolkit come from there.`,
    });
    expect(api.seen).toEqual([]);
  });

  it("that a header cannot hold are not shown in the error", async () => {
    const auth: Auth = { type: "bearer", token: { env: "TOKEN" } };
    const toolkit = api.toolkit({ paths }, { auth, env: { TOKEN: "s3cr3t\nline" } });
    const failure = await call(toolkit, "own");
    expect(failure).toMatchObject({ code: "unavailable" });
    expect(JSON.stringify(failure)).not.toContain("s3cr3t");
  });

  it("are hidden where the API sends them back, in results, hints, errors and the log", async () => {
    const auth: Auth = [
      { type: "basic", username: "ann", password: { env: "TOKEN" } },
      { type: "apiKey", in: "query", name: "k", value: { env: "TOKEN" } },
    ];
    const toolkit = api.toolkit({ paths }, { auth, env: { TOKEN: SECRET } });
    const told: string[] = [];
    for (const status of [200, 500]) {
      for (const type of ["application/json", "text/plain"]) {
        api.answer = ({ url, headers }, response) => {
          const next = `</v1/own?page=${encodeURIComponent(SECRET)}>; rel="next"`;
          response.writeHead(status, { "content-type": type, link: next });
          response.end(JSON.stringify({ url, headers, said: SECRET }));
        };
        told.push(JSON.stringify(await events(toolkit, "own")));
      }
    }
    const everything = [...told, ...api.logged].join("\n");
    expect(everything).toContain("[credential]");
    for (const form of [
      SECRET,
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString("base64"),
      Buffer.from(`ann:${SECRET}`).toString("base64"),
    ]) {
      expect(everything).not.toContain(form);
    }
  });
});

describe("OAuth client credentials", () => {
  const auth = (): Auth => ({
    type: "oauth2",
    tokenUrl: `${api.origin}/token`,
    clientId: "me",
    clientSecret: { env: "TOKEN" },
    scopes: ["read", "write"],
  });
  const asks = (): number => api.seen.filter(({ url }) => url === "/token").length;

  it("get one token for all calls, and another once it is refused", async () => {
    let issued = 0;
    let refused = "";
    api.answer = ({ url, headers }, response) => {
      if (url === "/token") {
        issued += 1;
        sendJson(response, { access_token: `token-${issued}`, expires_in: 3600 });
      } else sendJson(response, {}, headers.authorization === refused ? 401 : 200);
    };
    const toolkit = api.toolkit({ paths }, { auth: auth(), env: { TOKEN: ASCII } });
    await Promise.all([call(toolkit, "own"), call(toolkit, "own"), call(toolkit, "own")]);
    expect(asks()).toBe(1);
    const basic = Buffer.from(`me:${encodeURIComponent(ASCII)}`).toString("base64");
    expect(api.seen[0]).toMatchObject({
      headers: { authorization: `Basic ${basic}` },
      body: "grant_type=client_credentials&scope=read+write",
    });
    refused = "Bearer token-1";
    expect(await call(toolkit, "own")).toMatchObject({ type: "result" });
    expect(asks()).toBe(2);
  });

  it("try the client in the body where the header is refused, and say when there is no token", async () => {
    api.answer = ({ url, body }, response) => {
      if (url !== "/token") sendJson(response, {});
      else if (body.includes("client_secret=")) sendJson(response, { access_token: "token-1" });
      else sendJson(response, { error: "invalid_client" }, 401);
    };
    const env = { TOKEN: ASCII };
    expect(await call(api.toolkit({ paths }, { auth: auth(), env }), "own")).toMatchObject({
      type: "result",
    });
    api.answer = (_, response) => sendJson(response, { error: "invalid_client", echo: ASCII }, 400);
    expect(await call(api.toolkit({ paths }, { auth: auth(), env }), "own")).toEqual({
      type: "error",
      code: "unavailable",
      message: `The token address ${api.origin}/token gives no token: 400 (invalid_client).`,
    });
    expect(api.logged.join()).not.toContain(ASCII);
  });
});

function getLast(): Seen {
  const last = api.seen.at(-1);
  if (last === undefined) throw new Error("Nothing was sent.");
  return last;
}
