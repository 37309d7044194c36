import { expect, it } from "vitest";
import { requestIdOfLongLine } from "../../../src/mcp-server/shim/long-line.ts";

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
