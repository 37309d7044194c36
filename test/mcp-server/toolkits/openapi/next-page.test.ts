import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nextLink } from "../../../../src/mcp-server/toolkits/openapi/next-page.ts";
import type { OpenapiOptions } from "../../../../src/mcp-server/toolkits/openapi/openapi-options.ts";
import type { OpenapiToolkit } from "../../../../src/mcp-server/toolkits/openapi/openapi-toolkit.ts";
import type { JsonValue } from "../../../../src/toolkit-cli/index.ts";
import { ApiUnderTest, call, events, sendJson } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

function listing(
  parameters: readonly string[],
  options: Partial<OpenapiOptions> = {},
): OpenapiToolkit {
  const query = parameters.map((name) => ({
    name,
    in: "query",
    schema: { type: ["string", "integer"] },
  }));
  return api.toolkit(
    { paths: { "/things": { get: { operationId: "list", parameters: query } } } },
    options,
  );
}

async function hints(toolkit: OpenapiToolkit, input: JsonValue = {}): Promise<string[]> {
  const all = await events(toolkit, "list", input);
  return all.flatMap((event) => (event.type === "hint" ? [event.message] : []));
}

function answer(body: unknown, link?: string): void {
  api.answer = (_, response) => {
    if (link !== undefined) response.setHeader("link", link);
    sendJson(response, body);
  };
}

describe("a page that is not the last", () => {
  it.each([
    [["page"], [], '</v1/things?page=2>; rel="next"', "--page 2"],
    [["cursor"], { next_cursor: "abc" }, undefined, "--cursor abc"],
    [["pageToken"], { nextPageToken: "a b'c" }, undefined, "--page-token 'a b'\\''c'"],
    [["cursor"], { response_metadata: { next_cursor: "dXNl" } }, undefined, "--cursor dXNl"],
    [["after"], { paging: { cursors: { after: "x" } } }, undefined, "--after x"],
    [["offset"], { next: "/v1/things?offset=20" }, undefined, "--offset 20"],
    [
      ["starting_after"],
      { has_more: true, data: [{ id: "a" }, { id: "b" }] },
      undefined,
      "--starting-after b",
    ],
    [["page"], { next_page: 3 }, undefined, "--page 3"],
  ])("says how to get the next one: %j %j", async (parameters, body, link, flags) => {
    answer(body, link);
    expect(await hints(listing(parameters))).toEqual([
      `There is more: add ${flags}, or --all for every page`,
    ]);
  });

  it.each([
    [["page"], [], '</v1/things?page=1>; rel="prev"'],
    [["page"], [], '<http://evil.example/things?page=2>; rel="next"'],
    [["page"], [], '</elsewhere?page=2>; rel="next"'],
    [["cursor"], { next_cursor: "" }, undefined],
    [["cursor"], { next_cursor: null }, undefined],
    [["q"], { next_cursor: "abc" }, undefined],
    [["starting_after"], { has_more: false, data: [{ id: "a" }] }, undefined],
  ])(
    "is not seen where there is none, or it is elsewhere: %j %j %s",
    async (parameters, body, link) => {
      answer(body, link);
      expect(await hints(listing(parameters))).toEqual([]);
    },
  );

  it("is found as the operator says", async () => {
    answer({ meta: { more: "t1" }, things: [1], others: [2] });
    const pagination = { parameter: "from", next: "meta.more", items: "things" };
    expect(await hints(listing(["from"], { pagination }))).toEqual([
      "There is more: add --from t1, or --all for every page",
    ]);
  });

  it("is followed by the others with --all, as one list", async () => {
    api.answer = ({ url }, response) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? 1);
      if (page < 3) response.setHeader("link", `</v1/things?q=a&page=${page + 1}>; rel=next`);
      sendJson(response, [page * 10, page * 10 + 1]);
    };
    expect(await call(listing(["q", "page"]), "list", { q: "a", all: true })).toEqual({
      type: "result",
      value: { kind: "json", json: [10, 11, 20, 21, 30, 31] },
    });
    expect(api.seen.map(({ url }) => url)).toEqual([
      "/v1/things?q=a",
      "/v1/things?q=a&page=2",
      "/v1/things?q=a&page=3",
    ]);
  });

  it("is asked for once, and a hundred times at most", async () => {
    answer({ items: [1], next_cursor: "same" });
    expect(await call(listing(["cursor"]), "list", { all: true })).toMatchObject({
      value: { json: [1, 1] },
    });
    let count = 0;
    api.answer = (_, response) => sendJson(response, { items: [1], next_cursor: `c${++count}` });
    const all = await events(listing(["cursor"]), "list", { all: true });
    expect(all.filter(({ type }) => type === "hint")).toEqual([
      { type: "hint", message: "These are the first 100 pages, the limit" },
      { type: "hint", message: "There is more: add --cursor c100, or --all for every page" },
    ]);
    expect(count).toBe(100);
  });
});

describe("nextLink", () => {
  it.each([
    ['<a>; rel="next"', "a"],
    ["<a>; rel=prev, <b,c>; title=x; REL=next", "b,c"],
    ['<a>; rel="last next"', "a"],
    ["<a>; rel=nextish", undefined],
    ["rel=next", undefined],
    [null, undefined],
  ])("reads %s as %s", (header, target) => {
    expect(nextLink(header)).toBe(target);
  });
});
