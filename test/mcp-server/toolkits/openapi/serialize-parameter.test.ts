import { describe, expect, it } from "vitest";
import {
  serializeHeader,
  serializePairs,
  serializePath,
} from "../../../../src/mcp-server/toolkits/openapi/serialize-parameter.ts";

const list = ["blue", "black", "a b"];
const object = { R: 100, G: "x y" };

/** The table of OpenAPI 3.1.1 §4.8.12.4, "Style Examples". */
describe("serializePairs", () => {
  const pairs = (
    value: Parameters<typeof serializePairs>[1],
    style: string,
    explode: boolean,
  ): string =>
    serializePairs("color", value, { style, explode })
      .map((pair) => pair.join("="))
      .join("&");

  it.each([
    ["", "form", true, "color="],
    ["blue", "form", true, "color=blue"],
    [0, "form", false, "color=0"],
    [false, "form", false, "color=false"],
    [list, "form", true, "color=blue&color=black&color=a%20b"],
    [list, "form", false, "color=blue,black,a%20b"],
    [object, "form", true, "R=100&G=x%20y"],
    [object, "form", false, "color=R,100,G,x%20y"],
    [list, "spaceDelimited", false, "color=blue%20black%20a%20b"],
    [list, "pipeDelimited", false, "color=blue%7Cblack%7Ca%20b"],
    [object, "deepObject", true, "color[R]=100&color[G]=x%20y"],
    [
      { a: { b: [1, { c: "&=" }] } },
      "deepObject",
      true,
      "color[a][b][0]=1&color[a][b][1][c]=%26%3D",
    ],
    ["a&b=c#d", "form", true, "color=a%26b%3Dc%23d"],
    [[], "form", true, ""],
    [[{ a: 1 }], "form", true, "color=%7B%22a%22%3A1%7D"],
  ])("writes %j, %s, explode %s", (value, style, explode, written) => {
    expect(pairs(value, style, explode)).toBe(written);
  });

  it("leaves reserved characters where they are allowed, but for those that begin something else", () => {
    const style = { style: "form", explode: true, allowReserved: true };
    expect(serializePairs("q", "a/b:c?d&e=f#g+h", style)).toEqual([
      ["q", "a/b:c?d%26e%3Df%23g%2Bh"],
    ]);
  });

  it("encodes names, too", () => {
    const style = { style: "form", explode: true };
    expect(serializePairs("a&b", 1, style)).toEqual([["a%26b", "1"]]);
    expect(serializePairs("x", { "c&d": 1 }, style)).toEqual([["c%26d", "1"]]);
    expect(serializePairs("x", { "c]&d": 1 }, { style: "deepObject", explode: true })).toEqual([
      ["x[c%5D%26d]", "1"],
    ]);
  });
});

describe("serializePath", () => {
  it.each([
    ["blue", "simple", false, "blue"],
    [list, "simple", false, "blue,black,a%20b"],
    [object, "simple", false, "R,100,G,x%20y"],
    [object, "simple", true, "R=100,G=x%20y"],
    ["blue", "label", false, ".blue"],
    [list, "label", true, ".blue.black.a%20b"],
    [list, "label", false, ".blue,black,a%20b"],
    ["blue", "matrix", false, ";color=blue"],
    [list, "matrix", false, ";color=blue,black,a%20b"],
    [list, "matrix", true, ";color=blue;color=black;color=a%20b"],
    [object, "matrix", true, ";R=100;G=x%20y"],
    ["a/../b", "simple", false, "a%2F..%2Fb"],
  ])("writes %j, %s, explode %s", (value, style, explode, written) => {
    expect(serializePath("color", value, { style, explode })).toBe(written);
  });
});

describe("serializeHeader", () => {
  it.each([
    ["a b", false, "a b"],
    [list, false, "blue,black,a b"],
    [object, false, "R,100,G,x y"],
    [object, true, "R=100,G=x y"],
  ])("writes %j, explode %s", (value, explode, written) => {
    expect(serializeHeader(value, { style: "simple", explode })).toBe(written);
  });
});
