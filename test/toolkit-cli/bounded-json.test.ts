import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countValues, JsonMeter, parseBoundedJson } from "../../src/toolkit-cli/bounded-json.ts";

const limits = { depth: 3, values: 10 };

describe("parseBoundedJson", () => {
  it("parses what JSON.parse does, as text and as bytes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        const plain: unknown = JSON.parse(text);
        expect(parseBoundedJson(text)).toEqual(plain);
        expect(parseBoundedJson(new TextEncoder().encode(text))).toEqual(plain);
      }),
    );
    expect(() => parseBoundedJson("{")).toThrow(SyntaxError);
  });

  it("refuses what is deeper or more, and what is both and no JSON at all", () => {
    expect(parseBoundedJson("[[[1]]]", limits)).toEqual([[[1]]]);
    expect(() => parseBoundedJson("[[[[1]]]]", limits)).toThrow("nested deeper than 3 levels");
    expect(() => parseBoundedJson('{"a":[{"b":[', limits)).toThrow("nested deeper than 3 levels");
    expect(() => parseBoundedJson("[1,2,3,4,5,6,7,8,9,10]", limits)).toThrow("more than 10 values");
    expect(parseBoundedJson('["[[[[[[,,,,,,,,,,,,\\\\\\"[["]', limits)).toHaveLength(1);
  });
});

describe("JsonMeter", () => {
  it("counts alike however the bytes are cut, long texts and escapes included", () => {
    const long = fc.integer({ min: 0, max: 2000 }).map((size) => "x".repeat(size));
    const text = fc.array(fc.oneof(long, fc.constantFrom("\\", '"', "[", "{", ",", "\n")));
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 1, max: 400 }), (texts, size) => {
        const bytes = new TextEncoder().encode(
          JSON.stringify(texts.map((parts) => parts.join(""))),
        );
        const meter = new JsonMeter({ depth: 1, values: 1e6 });
        for (let at = 0; at < bytes.length; at += size) meter.push(bytes.subarray(at, at + size));
        expect(meter.values).toBe(countValues(bytes));
        expect(meter.values).toBe(2 + Math.max(0, texts.length - 1));
      }),
    );
  });
});
