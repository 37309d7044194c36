import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findBaseUrl } from "../../../../src/mcp-server/toolkits/openapi/base-url.ts";
import { loadDocument } from "../../../../src/mcp-server/toolkits/openapi/document.ts";
import { ApiUnderTest } from "./api-under-test.ts";

let api: ApiUnderTest;
beforeEach(async () => {
  api = await new ApiUnderTest().listen();
});
afterEach(() => api.close());

async function read(text: string): Promise<object> {
  const path = join(api.directory, "d.yaml");
  writeFileSync(path, text);
  return await loadDocument(path);
}

describe("loadDocument", () => {
  it("reads JSON and YAML, small and large", async () => {
    const root = { openapi: "3.1.0", paths: {} };
    expect(await read(JSON.stringify(root))).toEqual({ root, isDialect30: false, url: undefined });
    expect(await read("openapi: 3.0.3\npaths: {}")).toMatchObject({ isDialect30: true });
    expect(await read(`{openapi: 3.2.0}`)).toMatchObject({ root: { openapi: "3.2.0" } });
    const large = `openapi: 3.1.0\nx: ${"y".repeat(100_000)}`;
    expect(await read(large)).toMatchObject({ root: { openapi: "3.1.0" } });
  });

  it.each([
    ["swagger: '2.0'", /is Swagger "2\.0"; only OpenAPI 3 is taken/],
    ["openapi: 4.0.0", /its "openapi" says "4\.0\.0", not 3\.0 or 3\.1/],
    ["x: 1", /its "openapi" says nothing/],
    ["just text", /holds no object/],
    ["a: [", /is neither JSON nor YAML: /],
    [`x: ${"y".repeat(100_000)}\na: [`, /is neither JSON nor YAML: /],
    ["openapi: 3.1.0\nx: &x { a: *x, b: [*x, *x, *x] }", /is neither JSON nor YAML: .*circular/],
    ["", /holds no object|neither JSON nor YAML/],
    [yamlBomb(), /is neither JSON nor YAML: /],
    [`# ${"y".repeat(100_000)}\n${yamlBomb()}`, /is neither JSON nor YAML: /],
    [`# ${"y".repeat(17 * 1024 * 1024)}`, /more than 16777216 bytes of YAML/],
  ])("refuses what is none (%#)", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({ code: "unavailable", message });
  });

  it("says that a file is not there, and nothing of where that is", async () => {
    await expect(loadDocument(join(api.directory, "none.json"))).rejects.toMatchObject({
      message: "The OpenAPI document none.json cannot be read (ENOENT).",
    });
  });

  it("fetches a document, and follows it nowhere", async () => {
    const root = { openapi: "3.1.0" };
    api.answer = (_, response) => response.end(JSON.stringify(root));
    expect(await loadDocument(`${api.origin}/openapi.json`)).toMatchObject({ root });
    api.answer = (_, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    await expect(loadDocument(`${api.origin}/x?key=1`)).rejects.toMatchObject({
      message: `The OpenAPI document ${api.origin}/x answers 302, which leads elsewhere: set openapi to that address.`,
    });
  });
});

describe("findBaseUrl", () => {
  const base = (servers: unknown, url?: string, options = {}): string => {
    const document = {
      root: { servers },
      isDialect30: false,
      url: url === undefined ? undefined : new URL(url),
    };
    return findBaseUrl(document, options).href;
  };

  it("is the operator's, else the document's first server", () => {
    expect(base([{ url: "https://a.example/v1" }])).toBe("https://a.example/v1/");
    expect(base([], undefined, { baseUrl: "https://b.example?x#y" })).toBe("https://b.example/");
    expect(base(undefined, "https://a.example/docs/api.json")).toBe("https://a.example/");
    expect(base([{ url: "../v2" }], "https://a.example/docs/api.json")).toBe(
      "https://a.example/v2/",
    );
  });

  it("fills in variables", () => {
    const server = {
      url: "https://{region}.a.example/{version}",
      variables: { region: { default: "eu", enum: ["eu", "us"] }, version: { default: "v1" } },
    };
    expect(base([server])).toBe("https://eu.a.example/v1/");
    expect(base([server], undefined, { serverVariables: { region: "us" } })).toBe(
      "https://us.a.example/v1/",
    );
    expect(() =>
      base([server], undefined, { serverVariables: { region: "evil.example/" } }),
    ).toThrow(/serverVariables\.region must be one of eu, us/);
  });

  it.each([
    [[{ url: "/v1" }], undefined, /names no whole address/],
    [
      [{ url: "https://evil.example/" }],
      "https://a.example/api.json",
      /names a server elsewhere, https:\/\/evil\.example/,
    ],
    [[{ url: "file:///etc" }], undefined, /begins with file:/],
    [[{ url: "https://me:secret@a.example" }], undefined, /holds a user or password/],
  ])("refuses %j of %s", (servers, url, words) => {
    expect(() => base(servers, url)).toThrow(words);
  });
});

/** The "billion laughs". */
function yamlBomb(): string {
  const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 9; level++) {
    const uses = Array.from({ length: 10 }, () => `*a${level - 1}`).join(",");
    lines.push(`a${level}: &a${level} [${uses}]`);
  }
  return lines.join("\n");
}
