import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Line } from "../../../src/mcp-server/lines.ts";
import { readEnvelope, requestIdOfLongLine } from "../../../src/mcp-server/shim/envelope.ts";

const lineOf = (text: string): Line => [Buffer.from(`${text}\n`)];

/** A line in pieces of a size. */
function cut(text: string, size: number): Line {
  const bytes = Buffer.from(`${text}\n`);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

describe("the envelope of a message", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"id":2}}', { id: 1, method: "x" }],
    ['{"method":"x","params":{"method":"y","id":2},"id":"a\\"b"}', { id: 'a"b', method: "x" }],
    ['{"result":{"id":2,"method":"y"},"jsonrpc":"2.0","id":3}', { id: 3 }],
    ['{"id":3,"error":{"message":"m"}}', { id: 3 }],
    [' { "method" : "n" , "params" : [ "}" , { } ] } \r', { method: "n" }],
    ['{"\\u0069d":4,"m\\u0065thod":"\\u0078"}', { id: 4, method: "x" }],
    ['{"id":null,"method":"x"}', { method: "x" }],
    ['{"id":{"id":1},"method":["x"]}', {}],
    ["{}", {}],
    ["[1]", {}],
    ["7", {}],
    ["{nonsense", {}],
    ['{"id', {}],
    ['{"id":"open', {}],
  ])("is found in %s", (text, envelope) => {
    const { id, method } = readEnvelope(lineOf(text));
    expect({ id, method }).toEqual({ id: undefined, method: undefined, ...envelope });
  });

  it("is that of the parsed message, whatever it holds and however it is cut", () => {
    const member = fc.constantFrom("jsonrpc", "id", "method", "params", "result", "other");
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.jsonValue(),
      fc.constant("x".repeat(5000)),
    );
    const message = fc.dictionary(member, value, { noNullPrototype: true });
    const space = fc.constantFrom(0, 1);
    fc.assert(
      fc.property(message, space, fc.integer({ min: 1, max: 6000 }), (said, indent, size) => {
        const { id, method } = readEnvelope(cut(spaced(said, indent), size));
        const isAnswer = said["result"] !== undefined;
        const isRequest = typeof said["method"] === "string";
        expect(id).toEqual(isIdOf(said["id"]) ? said["id"] : undefined);
        // A message with both is none; which it is taken for depends on which comes first.
        if (!isAnswer || !isIdOf(said["id"]) || !isRequest)
          expect(method).toEqual(isRequest ? said["method"] : undefined);
      }),
    );
  });

  it("is found at the ends of a message without a walk over its middle", () => {
    const text = `"${"x".repeat(100_000)}`;
    const broken: [string, object][] = [
      [`{"method":"x","params":{"a":${text}},"jsonrpc":"2.0","id":5}`, { id: 5, method: "x" }],
      [`{"jsonrpc":"2.0","id":6,"result":${text}`, { id: 6 }],
      [`{"result":${text}},"jsonrpc":"2.0","id":7}`, { id: 7 }],
    ];
    for (const [message, envelope] of broken)
      expect(readEnvelope(cut(message, 65_536))).toMatchObject(envelope);
  });
});

function isIdOf(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/** As clients write that do, or do not, leave white space out. */
function spaced(said: object, indent: number): string {
  return JSON.stringify(said, undefined, indent).replaceAll(/\n */g, " ");
}

describe("the id of a request that is too long to be read", () => {
  function idIn(head: string, tail: string): string | number | null | undefined {
    return requestIdOfLongLine({ head: Buffer.from(head), tail: Buffer.from(tail) });
  }

  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"xxx', 'xxx"}}', 1],
    ['{ "method" : "x", "id" : "a\\"b", "params":{', "}}", 'a"b'],
    ['{"method":"x","params":{"text":"xxx', 'xxx"},"jsonrpc":"2.0","id":2}\r', 2],
    ['{"params":{"text":"xxx', 'xxx"},"id":"three","method":"x"}', "three"],
  ])("finds the id of a request at either end: %s … %s", (head, tail, id) => {
    expect(idIn(head, tail)).toBe(id);
  });

  it.each([
    ['{"params":{"id":1,"text":"xxx', 'xxx"}}'],
    ['{"params":{"text":"xxx', 'xxx","id":1}}'],
    ['{"params":{"text":"xxx', 'xxx,\\"id\\":1}'],
    ['{"id":"not closed', "xxx"],
    ["xxx", "xxx"],
  ])("takes no other id for it: %s … %s", (head, tail) => {
    expect(idIn(head, tail)).toBeNull();
  });

  it("has nothing to say to an answer", () => {
    expect(idIn('{"jsonrpc":"2.0","id":"run:1","result":{"a":"xxx', 'xxx"}}')).toBeUndefined();
  });
});
